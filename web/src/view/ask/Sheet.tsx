// On a phone a prompt is a sheet over the conversation; put away, it leaves a bar that opens it again.

import { type ReactNode, useEffect, useRef } from "react";
import type { Ask } from "../../generated";
import { Icon } from "../Icon";
import { useNow } from "../now";
import { when } from "../words";
import { useDock } from "./control";

export function Sheet(props: { isOpen: boolean; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { isOpen, onClose } = props;
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === isOpen) return;
    if (isOpen) element.showModal();
    else element.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the button do the same as a press beside it.
    <dialog
      ref={dialog}
      className="ask-sheet"
      aria-label="The agent asks"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <button type="button" className="grabber" aria-label="Put away; the question stays open" onClick={onClose}>
        <span className="grab" />
      </button>
      {props.children}
    </dialog>
  );
}

export function SheetBar({ ask, title, onOpen }: { ask: Ask; title: string; onOpen: () => void }) {
  const now = useNow();
  const { count } = useDock();
  return (
    <button
      type="button"
      className="ask-bar"
      // What has the focus keeps it until the sheet is open: a keyboard that goes away would move this bar under the finger.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <span className="tile">
        <Icon name={ask.body.kind === "permission" || ask.body.kind === "plan" ? "shield" : "ask"} />
      </span>
      <span className="cut grow">{title}</span>
      <span className="when num">
        {when(ask.at, now)}
        {count > 1 ? ` · ${count}` : ""}
      </span>
      <Icon name="up" />
    </button>
  );
}
