// A button that opens a panel: what goes in is what the button shows and what the panel shows. The browser closes it on
// Escape and on a click elsewhere (native popover), and the focus goes back to the button.

import { type ReactNode, type ToggleEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { placeBeside } from "./floating";

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
  children: ReactNode | ((close: () => void) => ReactNode);
}) {
  const id = useId();
  const buttonRef = useRef<HTMLButtonElement>(null);
  const panelRef = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => panelRef.current?.hidePopover();
  const toggled = (event: ToggleEvent<HTMLDivElement>) => {
    const opens = event.newState === "open";
    // Before it is shown, so that it is never seen empty or somewhere else.
    flushSync(() => setOpen(opens));
    if (opens && buttonRef.current) placeBeside(event.currentTarget, buttonRef.current);
  };
  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        className={className}
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={title}
      >
        {button}
      </button>
      <div
        ref={panelRef}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        tabIndex={-1}
        className="pop panel-pop"
        onBeforeToggle={toggled}
        onToggle={(event) => {
          if (event.newState === "open") event.currentTarget.focus();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          // This Escape is spent: it closes the panel and means nothing to the page.
          event.stopPropagation();
          event.preventDefault();
          close();
          buttonRef.current?.focus();
        }}
      >
        {isOpen ? (typeof children === "function" ? children(close) : children) : null}
      </div>
    </>
  );
}
