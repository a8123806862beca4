// The dialog that starts a session: a fresh one, or one that was held in a terminal. Closing it keeps what was written.

import { placeHref } from "../route";
import { Dialog } from "../shell/Dialog";
import { FreshSession } from "./FreshSession";
import { ResumeSession } from "./ResumeSession";

export function NewSession({ tab, onClose }: { tab: "fresh" | "resume"; onClose: () => void }) {
  const tabs = (
    <nav className="seg" aria-label="Kind of session">
      <a href={placeHref({ page: "new" })} aria-current={tab === "fresh" ? "page" : undefined}>
        Fresh
      </a>
      <a href={placeHref({ page: "new", tab: "resume" })} aria-current={tab === "resume" ? "page" : undefined}>
        Resume
      </a>
    </nav>
  );
  return (
    <Dialog title="New session" className="start" extra={tabs} onClose={onClose}>
      {tab === "fresh" ? <FreshSession onClose={onClose} /> : <ResumeSession />}
    </Dialog>
  );
}
