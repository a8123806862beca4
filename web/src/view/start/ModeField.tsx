// What the agent may do without asking: one of the modes that its version has, and what it means.

import { type KeyboardEvent, useId } from "react";
import { BYPASS, modesOf } from "../session/modes";
import { useAbout } from "../useAbout";
import { modeMeaning, shortMode } from "../words";

export function ModeField({ value, onChange }: { value: string; onChange: (mode: string) => void }) {
  const id = useId();
  const { about } = useAbout();
  // What is chosen is shown even where it cannot be had, as by a preset of elsewhere: it is what would be sent.
  const modes = modesOf({
    mode: value,
    version: about?.agent.version ?? undefined,
    hasAuto: undefined,
    mayBypass: about?.allowsBypass ?? false,
  });
  const step = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = modes[(modes.indexOf(value) + by + modes.length) % modes.length];
    if (next === undefined) return;
    onChange(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div className="field">
      <span id={`${id}-label`} className="label">
        Permissions
      </span>
      <div className="seg full" role="radiogroup" aria-labelledby={`${id}-label`} onKeyDown={step}>
        {modes.map((mode) => (
          // biome-ignore lint/a11y/useSemanticElements: a segment is a button that is one of several.
          <button
            key={mode}
            id={`${id}-${mode}`}
            type="button"
            role="radio"
            aria-checked={mode === value}
            tabIndex={mode === value ? 0 : -1}
            onClick={() => onChange(mode)}
          >
            {shortMode(mode)}
          </button>
        ))}
      </div>
      <p className={value === BYPASS ? "hint is-danger" : "hint"}>{modeMeaning(value)}</p>
    </div>
  );
}
