// A dialog over the page, on the native element: it holds the focus, Escape closes it, the page behind is out of reach.

import { type ReactNode, useId } from "react";
import { Icon } from "../Icon";
import { Failure } from "./Failure";
import { useModal } from "./useModal";

export function Dialog({
  title,
  className,
  extra,
  onClose,
  children,
}: {
  title: string;
  className?: string;
  /** What stands in the head beside the title. */
  extra?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const titleId = useId();
  const ref = useModal();
  return (
    <dialog
      ref={ref}
      className={className === undefined ? "dialog" : `dialog ${className}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Other things inside of it have cancel events of their own.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <span className="grow" />
        {extra}
        <button type="button" className="ibtn" aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** Asks before something is destroyed. Nothing is destroyed by the first key that is pressed: the focus is on the way back. */
export function Confirm({
  title,
  text,
  verb,
  doing,
  isBusy,
  error,
  onConfirm,
  onClose,
}: {
  title: string;
  text: string;
  verb: string;
  doing: string;
  isBusy: boolean;
  error: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} className="confirm" onClose={onClose}>
      <div className="dialog-body">
        <p>{text}</p>
        <Failure words={error} />
      </div>
      <div className="dialog-foot">
        <span className="grow" />
        <button type="button" data-autofocus className="btn quiet" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="btn danger" onClick={onConfirm} disabled={isBusy}>
          {isBusy ? doing : verb}
        </button>
      </div>
    </Dialog>
  );
}
