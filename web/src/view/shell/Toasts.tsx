// The one toast: only for what can be undone, for eight seconds, and for as long as somebody points at it.

import { useEffect, useState } from "react";
import { dropToast, type Toast, useToast } from "./toasts";

const SHOWN_MS = 8000;

export function Toasts() {
  const toast = useToast();
  return toast === undefined ? null : <OneToast key={toast.id} toast={toast} />;
}

function OneToast({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dropToast(toast.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast.id, isHeld]);
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <section className="toasts" aria-label="Undo">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only makes it stay. */}
      <div className="toast" onPointerEnter={hold} onPointerLeave={release} onFocus={hold} onBlur={release}>
        <span role="status">{toast.text}</span>
        <button
          type="button"
          onClick={() => {
            dropToast(toast.id);
            toast.undo();
          }}
        >
          Undo
        </button>
      </div>
    </section>
  );
}
