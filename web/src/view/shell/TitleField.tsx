// A title that is being changed: Enter and leaving keep it, Escape does not. An empty one gives back the agent's own.

import { useEffect, useRef } from "react";

export function TitleField({
  title,
  onKeep,
  onLeave,
}: {
  title: string;
  onKeep: (title: string) => void;
  /** By a key, the focus goes back to where it was. */
  onLeave: (byKey: boolean) => void;
}) {
  const ref = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    ref.current?.select();
  }, []);
  const end = (keep: boolean, byKey: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    const text = ref.current?.value.trim() ?? "";
    if (keep && text !== title) onKeep(text);
    onLeave(byKey);
  };
  return (
    <input
      ref={ref}
      className="input title-field"
      defaultValue={title}
      maxLength={200}
      aria-label="Title of the session"
      placeholder="Title of the agent"
      onBlur={() => end(true, false)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // The focus goes back to the title, which this very press would open again.
        event.preventDefault();
        end(event.key === "Enter", true);
      }}
    />
  );
}
