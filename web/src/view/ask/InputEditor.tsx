// The input of a call, edited before it is allowed: the command as it is typed, everything else as JSON.

import { useId, useState } from "react";
import type { PermissionAsk } from "../../generated";
import { isPressed } from "../keys/bindings";
import { useWhole } from "../whole";
import { toEnd } from "./control";
import { changedInput, editable, type Part } from "./input";

export type Input = {
  isOpen: boolean;
  isComing: boolean;
  /** Is it another one than the agent's? */
  isEdited: boolean;
  /** What is wrong with it. */
  fault: string | undefined;
  /** What is sent, if it is another one. */
  changed: Record<string, unknown> | undefined;
  text: string;
  isCommand: boolean;
  open: () => void;
  close: () => void;
  type: (text: string) => void;
};

export function useInput(ask: PermissionAsk): Input {
  const whole = useWhole(ask.input);
  const [state, setState] = useState<{ json: string; part: Part; text: string }>();
  const [trouble, setTrouble] = useState<string>();
  const isEdited = state !== undefined && state.text !== state.part.text;
  const made = isEdited ? changedInput(state.json, state.part, state.text) : undefined;
  const open = async () => {
    const json = await whole.bring();
    const part = json === undefined ? undefined : editable(json, ask.view.view);
    if (json === undefined || !part) setTrouble("The input cannot be edited");
    else setState({ json, part, text: part.text });
  };
  return {
    isOpen: state !== undefined,
    isComing: whole.state === "coming",
    isEdited,
    fault: made && "fault" in made ? made.fault : trouble,
    changed: made && "input" in made ? made.input : undefined,
    text: state?.text ?? "",
    isCommand: ask.view.view === "command",
    open: () => void open(),
    close: () => {
      setState(undefined);
      setTrouble(undefined);
    },
    type: (text) => state && setState({ ...state, text }),
  };
}

/** The way to edit it. */
export function EditInput({ input }: { input: Input }) {
  return (
    <button type="button" className="btn quiet sm" disabled={input.isComing} onClick={input.open}>
      {input.isCommand ? "Edit command" : "Edit input"}
    </button>
  );
}

export function InputEditor({ input }: { input: Input }) {
  const id = useId();
  const rows = Math.min(14, Math.max(2, input.text.split("\n").length));
  return (
    <div className="field">
      <label htmlFor={id}>{input.isCommand ? "Run this instead" : "Use this input instead"}</label>
      <textarea
        id={id}
        className={input.fault === undefined ? "input mono" : "input mono error"}
        rows={rows}
        spellCheck={false}
        autoCapitalize="off"
        value={input.text}
        // biome-ignore lint/a11y/noAutofocus: it was opened in order to be written in.
        autoFocus
        onFocus={toEnd}
        onChange={(event) => input.type(event.target.value)}
        onKeyDown={(event) => {
          if (!isPressed("submit", event)) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <div className="row">
        <p
          className={input.fault === undefined ? "hint grow" : "hint grow is-danger"}
          role={input.fault ? "alert" : undefined}
        >
          {input.fault ?? "What you change is allowed once; no rule is saved with it."}
        </p>
        <button type="button" className="btn quiet sm" onClick={input.close}>
          Undo the edit
        </button>
      </div>
    </div>
  );
}
