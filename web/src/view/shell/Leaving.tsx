// Where a link leads, in full, before anything is asked there.

import { CopyButton } from "../item/CopyButton";
import { Dialog } from "./Dialog";
import { stay, useLeaving } from "./leaving";

export function Leaving() {
  const href = useLeaving();
  if (href === undefined) return null;
  return (
    <Dialog title="This link leads elsewhere" className="confirm" onClose={stay}>
      <div className="dialog-body">
        <p>
          <code className="leads-to">{href}</code>
        </p>
      </div>
      <div className="dialog-foot">
        <CopyButton text={href} what="address" />
        <span className="grow" />
        <button type="button" className="btn quiet" onClick={stay}>
          Stay here
        </button>
        <a
          className="btn primary"
          data-autofocus
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          onClick={() => stay()}
        >
          Open
        </a>
      </div>
    </Dialog>
  );
}
