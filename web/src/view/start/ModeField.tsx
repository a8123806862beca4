// What the agent may do without asking: one of a few, and what it means.

import { type KeyboardEvent, useId } from "react";
import { useAbout } from "../useAbout";
import { modeMeaning, modeWords } from "../words";

const MODES = ["default", "acceptEdits", "plan", "bypassPermissions"];

export function ModeField({ value, onChange }: { value: string; onChange: (mode: string) => void }) {
  const id = useId();
  const { about } = useAbout();
  const mayBypass = about?.allowsBypass ?? false;
  const modes = MODES.filter((mode) => mode !== "bypassPermissions" || mayBypass);
  const chosen = modes.includes(value) ? value : "default";
  const step = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = modes[(modes.indexOf(chosen) + by + modes.length) % modes.length];
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
            aria-checked={mode === chosen}
            tabIndex={mode === chosen ? 0 : -1}
            onClick={() => onChange(mode)}
          >
            {mode === "bypassPermissions" ? "Bypass" : modeWords(mode)}
          </button>
        ))}
      </div>
      <p className={chosen === "bypassPermissions" ? "hint is-danger" : "hint"}>{modeMeaning(chosen)}</p>
    </div>
  );
}
