// What floats beside its button, on the native popover: what both of them are to have comes out. It is drawn only while it is open,
// and then before it is seen.

import { type RefObject, type ToggleEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { placeBeside } from "./floating";

export type Floating = {
  isOpen: boolean;
  button: { ref: RefObject<HTMLButtonElement | null>; type: "button"; popoverTarget: string; "aria-expanded": boolean };
  panel: {
    ref: RefObject<HTMLDivElement | null>;
    id: string;
    popover: "auto";
    tabIndex: -1;
    onBeforeToggle: (event: ToggleEvent<HTMLDivElement>) => void;
    onToggle: (event: ToggleEvent<HTMLDivElement>) => void;
  };
  /** Closes it by a key: the focus goes back to the button. */
  close: () => void;
};

/** `focus` gives the focus to something in it, as soon as it is there. */
export function usePopover(focus: (panel: HTMLElement) => void): Floating {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const onBeforeToggle = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) => {
    const opens = newState === "open";
    // Before it is shown, so that it is never seen empty or somewhere else.
    flushSync(() => setOpen(opens));
    if (opens && button.current) placeBeside(currentTarget, button.current);
  };
  return {
    isOpen,
    button: { ref: button, type: "button", popoverTarget: id, "aria-expanded": isOpen },
    panel: {
      ref: panel,
      id,
      popover: "auto",
      tabIndex: -1,
      onBeforeToggle,
      onToggle: ({ newState, currentTarget }) => {
        if (newState === "open") focus(currentTarget);
      },
    },
    close: () => {
      panel.current?.hidePopover();
      button.current?.focus();
    },
  };
}
