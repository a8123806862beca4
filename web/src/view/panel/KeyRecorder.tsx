// Takes the keys that somebody presses for an action. Keys that another one has are shown with it and cannot be kept.

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { focusWhenDrawn } from "../focusWhenDrawn";
import { ACTIONS, type ActionId } from "../keys/actions";
import { keysOf, setKeys } from "../keys/bindings";
import { capsOf, chordOf, isComposing } from "../keys/chord";
import { browserWarning, conflicts } from "../keys/conflicts";
import { Failure } from "../shell/Failure";
import { useAction } from "../shell/useAction";

export function KeyRecorder({ action, onDone }: { action: ActionId; onDone: () => void }) {
  const [chord, setChord] = useState<string>();
  const { run, isBusy, error } = useAction();
  const well = useRef<HTMLInputElement>(null);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    well.current?.focus();
  }, []);
  // What a browser answers to this is no way to undo it: newer ones answer with a promise.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is said of the keys makes it longer.
  useEffect(() => {
    row.current?.scrollIntoView({ block: "nearest" });
  }, [chord]);
  const { words } = ACTIONS[action];
  const clashes = chord === undefined ? [] : conflicts(action, chord, keysOf);
  const warning = chord === undefined ? undefined : browserWarning(chord);
  const close = () => {
    onDone();
    // Back to where it was opened.
    focusWhenDrawn(() => document.querySelector<HTMLElement>(`[data-action="${action}"]`));
  };
  const keep = (keys: readonly string[]) => run(() => setKeys(action, keys), close);
  const pressed = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    // Tab leaves: nobody is kept here.
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return close();
    const made = chordOf(event.nativeEvent);
    if (made === "Enter" && chord !== undefined && clashes.length === 0) return keep([chord]);
    if (made !== undefined) setChord(made);
  };
  return (
    <li ref={row} className="recorder">
      <p className="strong">{words}</p>
      <input
        ref={well}
        className="input key-well"
        readOnly
        aria-label={`New keys for ${words}`}
        placeholder="Press the new keys; Esc leaves them as they are"
        value={chord === undefined ? "" : capsOf(chord).join(" ")}
        onKeyDown={pressed}
      />
      {clashes.map((other) => (
        <p key={other} role="alert" className="hint is-danger">
          “{other}” has these keys. Press others, or change that first.
        </p>
      ))}
      {warning === undefined ? null : (
        <p role="status" className="hint is-warn">
          {warning}
        </p>
      )}
      <Failure words={error} />
      <div className="row recorder-do">
        <button
          type="button"
          className="btn primary sm"
          disabled={chord === undefined || clashes.length > 0 || isBusy}
          onClick={() => chord !== undefined && keep([chord])}
        >
          Keep
        </button>
        <button
          type="button"
          className="btn sm"
          disabled={chord === undefined || clashes.length > 0 || isBusy || keysOf(action).length === 0}
          onClick={() => chord !== undefined && keep([...new Set([...keysOf(action), chord])])}
        >
          Keep beside the old ones
        </button>
        <button type="button" className="btn quiet sm" disabled={isBusy} onClick={() => keep([])}>
          No keys
        </button>
        <button type="button" className="btn quiet sm" onClick={close}>
          Cancel
        </button>
      </div>
    </li>
  );
}
