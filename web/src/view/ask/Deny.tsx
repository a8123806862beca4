// "Deny and say why": a field in the place of the choices, and its buttons.

import { useId } from "react";
import { Key, KeyHint, Label } from "./Key";

export type Denial = { why: string; stop: boolean };

export const NO_REASON: Denial = { why: "", stop: false };

function Field(props: { said: Denial; onSay: (said: Denial) => void; label?: string; placeholder?: string }) {
  const { said, onSay } = props;
  const id = useId();
  return (
    <div className="reason">
      <label className="label" htmlFor={id}>
        {props.label ?? "Why not? The agent reads this and goes on."}
      </label>
      <textarea
        id={id}
        className="input"
        rows={2}
        value={said.why}
        placeholder={props.placeholder ?? "What to do instead"}
        // It was asked for with a key or a press.
        // biome-ignore lint/a11y/noAutofocus: whoever wants to say why wants to write.
        autoFocus
        onChange={(event) => onSay({ ...said, why: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <label className="row stop-too">
        <input
          type="checkbox"
          className="check"
          checked={said.stop}
          onChange={(event) => onSay({ ...said, stop: event.target.checked })}
        />
        <span>Stop the turn as well</span>
      </label>
    </div>
  );
}

function Actions(props: { isSending: boolean; onBack: () => void; words?: string }) {
  return (
    <div className="actions">
      <button type="submit" className="btn primary" disabled={props.isSending}>
        <Label isSending={props.isSending} words={props.words ?? "Deny and say why"} />
        <Key>Enter</Key>
      </button>
      <button type="button" className="btn quiet" disabled={props.isSending} onClick={props.onBack}>
        Back
      </button>
      <KeyHint name="Esc" does="goes back" />
    </div>
  );
}

export const Deny = { Field, Actions };
