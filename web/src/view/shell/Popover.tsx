// A button that opens a panel: what goes in is what the button shows and what the panel shows. The browser closes it on
// Escape and on a click elsewhere (native popover), and the focus goes back to the button.

import type { ReactNode } from "react";
import { usePopover } from "./usePopover";

export function Popover({
  label,
  title,
  button,
  className,
  children,
}: {
  /** What the panel is called. */
  label: string;
  /** What the button says to who points at it. */
  title?: string;
  button: ReactNode;
  className?: string;
  /** Drawn only while it is open. */
  children: ReactNode;
}) {
  const { isOpen, close, ...floating } = usePopover((panel) => panel.focus());
  return (
    <>
      <button {...floating.button} className={className} aria-haspopup="dialog" title={title}>
        {button}
      </button>
      <div
        {...floating.panel}
        role="dialog"
        aria-label={label}
        className="pop panel-pop"
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          // This Escape is spent: it closes the panel and means nothing to the page.
          event.stopPropagation();
          event.preventDefault();
          close();
        }}
      >
        {isOpen ? children : null}
      </div>
    </>
  );
}
