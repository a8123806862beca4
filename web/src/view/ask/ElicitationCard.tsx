// An MCP server asks for something: a form made from its JSON schema, or a page to visit; or no.

import { type KeyboardEvent, useState } from "react";
import type { Ask, Clip, ElicitationAsk } from "../../generated";
import { ShowAll, useWhole } from "../whole";
import { AskFrame } from "./AskFrame";
import { type Deciding, useDeciding, useDock } from "./control";
import { FormFields } from "./FormFields";
import { type Field, fields, filled, initially, type Typed } from "./form";
import { KeyHint, Label } from "./Key";
import { Address, Well } from "./Subject";

const NO_SCHEMA: Clip = { text: "" };

export function ElicitationCard({ ask, body }: { ask: Ask; body: ElicitationAsk }) {
  const deciding = useDeciding(ask);
  const schema = useWhole(body.schema ?? NO_SCHEMA);
  const [typed, setTyped] = useState<Typed>({});
  const [faults, setFaults] = useState<Record<string, string>>({});
  const isPage = body.mode === "url" || (body.url !== undefined && body.schema === undefined);
  const form: Field[] | undefined = isPage || body.schema === undefined ? [] : fields(schema.text, body.propertyOrder);

  const submit = () => {
    if (deciding.isSending || form === undefined) return;
    if (isPage || body.schema === undefined) return void deciding.send({ kind: "accept" });
    const made = filled(form, { ...initially(form), ...typed });
    if ("faults" in made) return setFaults(made.faults);
    setFaults({});
    void deciding.send({ kind: "accept", content: made.content });
  };
  return (
    <Frame
      ask={ask}
      deciding={deciding}
      onSubmit={submit}
      yes={isPage ? "I have done it" : "Send"}
      canSend={form !== undefined}
    >
      <div className="ask-body">
        <Message message={body.message} />
        {body.description === undefined ? null : <p className="hint">{body.description}</p>}
        {body.url === undefined ? null : (
          <>
            <Well label="The page">
              <Address url={body.url} isFirst />
            </Well>
            <p className="hint">
              Open it only if you know the place. What you do there stays between you and that page.
            </p>
          </>
        )}
        {form === undefined ? (
          <>
            <p className="hint">
              {schema.state === "whole"
                ? "This form cannot be shown. It can be declined."
                : "The form is long: show all of it first."}
            </p>
            <Well label="The form as it came">
              <pre>{schema.text}</pre>
              {body.schema === undefined ? null : <ShowAll whole={schema} />}
            </Well>
          </>
        ) : (
          <FormFields
            form={form}
            typed={typed}
            faults={faults}
            isDisabled={deciding.isSending}
            onType={(name, value) => setTyped({ ...typed, [name]: value })}
          />
        )}
      </div>
    </Frame>
  );
}

function Message({ message }: { message: Clip }) {
  const whole = useWhole(message);
  return (
    <div className="ask-message">
      <p>{whole.text}</p>
      <ShowAll whole={whole} />
    </div>
  );
}

function Frame(props: {
  ask: Ask;
  deciding: Deciding;
  yes: string;
  canSend: boolean;
  onSubmit: () => void;
  children: React.ReactNode;
}) {
  const { leave } = useDock();
  const { isSending, error, send } = props.deciding;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.key !== "Escape") return;
    event.preventDefault();
    leave();
  };
  return (
    <AskFrame
      ask={props.ask}
      icon="ask"
      error={error}
      isSending={isSending}
      onSubmit={props.onSubmit}
      onKeyDown={onKeyDown}
      actions={
        <div className="actions">
          <button type="submit" className="btn primary" disabled={isSending || !props.canSend}>
            <Label isSending={isSending} words={props.yes} />
          </button>
          <button type="button" className="btn" disabled={isSending} onClick={() => void send({ kind: "deny" })}>
            Decline
          </button>
          <button
            type="button"
            className="btn quiet"
            disabled={isSending}
            onClick={() => void send({ kind: "cancel" })}
          >
            Close without an answer
          </button>
          <KeyHint name="Esc" does="leaves it waiting" />
        </div>
      }
    >
      {props.children}
    </AskFrame>
  );
}
