// The dialog that starts a session: a fresh one, one that was held in a terminal, or a fork of one that is here. Closing it keeps
// what was written.

import { useState } from "react";
import { placeHref } from "../route";
import { Dialog } from "../shell/Dialog";
import { ForkSession } from "./ForkSession";
import { FreshSession } from "./FreshSession";
import { type Prefill, takePrefill } from "./prefill";
import { ResumeSession } from "./ResumeSession";

type Tab = "fresh" | "resume" | "fork";

const TABS: [Tab, string][] = [
  ["fresh", "Fresh"],
  ["resume", "Resume"],
  ["fork", "Fork"],
];

export default function NewSession({ tab, onClose }: { tab: Tab; onClose: () => void }) {
  const [prefill] = useState(takePrefill);
  const tabs = (
    <nav className="seg" aria-label="Kind of session">
      {TABS.map(([each, words]) => (
        <a
          key={each}
          href={placeHref(each === "fresh" ? { page: "new" } : { page: "new", tab: each })}
          aria-current={tab === each ? "page" : undefined}
        >
          {words}
        </a>
      ))}
    </nav>
  );
  return (
    <Dialog title="New session" className="start" extra={tabs} onClose={onClose}>
      <Content tab={tab} prefill={prefill} onClose={onClose} />
    </Dialog>
  );
}

function Content({ tab, prefill, onClose }: { tab: Tab; prefill: Prefill | undefined; onClose: () => void }) {
  switch (tab) {
    case "fresh":
      return <FreshSession prefill={prefill} onClose={onClose} />;
    case "resume":
      return <ResumeSession />;
    case "fork":
      return <ForkSession />;
    default:
      return tab satisfies never;
  }
}
