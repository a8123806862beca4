// The agent wants a dialog shown that this page does not know: what it is about, and a way to close it.

import type { KeyboardEvent } from "react";
import type { Ask, DialogAsk } from "../../generated";
import { ShowAll, useWhole } from "../whole";
import { AskFrame } from "./AskFrame";
import { useDeciding, useDock } from "./control";
import { KeyHint, Label } from "./Key";
import { Well } from "./Subject";

export function DialogCard({ ask, body }: { ask: Ask; body: DialogAsk }) {
  const { leave } = useDock();
  const { isSending, send, error } = useDeciding(ask);
  const whole = useWhole(body.payload);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.key !== "Escape") return;
    event.preventDefault();
    leave();
  };
  return (
    <AskFrame
      ask={ask}
      icon="ask"
      error={error}
      isSending={isSending}
      onKeyDown={onKeyDown}
      onSubmit={() => void send({ kind: "cancel" })}
      actions={
        <div className="actions">
          <button type="submit" className="btn primary" data-first="" disabled={isSending}>
            <Label isSending={isSending} words="Close it" />
          </button>
          <KeyHint name="Esc" does="leaves it waiting" />
        </div>
      }
    >
      <div className="ask-body">
        <p className="ask-message">
          This page does not know the dialog{body.dialog === undefined ? "" : ` “${body.dialog}”`}. It can only be
          closed; the agent then goes on without it.
        </p>
        {whole.text === "" ? null : (
          <Well label="What it is about">
            <pre>{pretty(whole.text)}</pre>
            <ShowAll whole={whole} />
          </Well>
        )}
      </div>
    </AskFrame>
  );
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
