// May this tool be used? The thing itself, how long a yes holds, and yes or no; with a reason, or with another input.

import { type KeyboardEvent, useState } from "react";
import type { Ask, PermissionAsk } from "../../generated";
import { pressedOf } from "../keys/bindings";
import { isComposing } from "../keys/chord";
import { isTyping } from "../shell/typing";
import { AskFrame } from "./AskFrame";
import { ChoiceList, startOf } from "./ChoiceList";
import { allow, choices, type Edited, reworded, ruleFault } from "./choices";
import { numberOf, useDeciding } from "./control";
import { type Denial, Deny, NO_REASON } from "./Deny";
import { EditInput, InputEditor, useInput } from "./InputEditor";
import { Key, KeyHint, Label } from "./Key";
import { Reasons } from "./Reasons";
import { Subject } from "./Subject";

const PROMPT_KEYS = ["allowOnce", "allowSession", "editRule", "deny", "denyWhy"] as const;

export function PermissionCard({ ask, body }: { ask: Ask; body: PermissionAsk }) {
  const deciding = useDeciding(ask);
  const { isSending, isArmed, send } = deciding;
  const offered = choices(body);
  const [chosen, choose] = useState(0);
  const [edited, setEdited] = useState<ReadonlyMap<number, Edited>>(new Map());
  const [denial, setDenial] = useState<Denial>();
  const input = useInput(body);

  // What was suggested was about the input as it was.
  const number = input.isEdited ? 0 : chosen;
  const first = offered[0];
  const choice = offered[number] ?? first;
  if (!choice || !first) return null;
  const button = reworded(choice, edited.get(number)).button;
  const rule = edited.get(number);
  const fault = input.fault ?? (rule === undefined ? undefined : ruleFault(rule.rules));

  const edit = (at: number, next: Edited | undefined) => {
    const all = new Map(edited);
    if (next) all.set(at, next);
    else all.delete(at);
    setEdited(all);
    if (next) choose(at);
  };
  const yes = (at: number) => {
    const which = offered[at];
    if (!which || isSending || input.fault !== undefined) return;
    const change = edited.get(at);
    if (change && ruleFault(change.rules) !== undefined) return;
    void send(allow(which, change, input.changed));
  };
  const no = () => {
    if (!isSending) void send({ kind: "deny" });
  };
  const noBecause = (said: Denial) => {
    const why = said.why.trim();
    void send({ kind: "deny", ...(why === "" ? {} : { why }), ...(said.stop ? { stop: true } : {}) });
  };

  const press = (event: KeyboardEvent): (() => void) | undefined => {
    const at = numberOf(event) - 1;
    if (at >= 0 && at < offered.length && !input.isEdited) return () => choose(at);
    switch (pressedOf(PROMPT_KEYS, event)) {
      case "allowOnce":
        return () => yes(0);
      case "allowSession": {
        const session = offered.findIndex(({ key }) => key === "S");
        return session < 0 || input.isEdited ? undefined : () => yes(session);
      }
      case "editRule": {
        const at = choice.rules ? number : offered.findIndex(({ rules }) => rules !== undefined);
        const which = offered[at];
        return which?.rules && !input.isEdited ? () => edit(at, edited.get(at) ?? startOf(which)) : undefined;
      }
      case "deny":
        return no;
      case "denyWhy":
        return () => setDenial(NO_REASON);
      default:
        return undefined;
    }
  };
  const back = (): void => {
    if (denial) setDenial(undefined);
    else if (input.isOpen) input.close();
    else if (rule !== undefined) edit(number, undefined);
    else if (isArmed()) no();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      if (!isSending) back();
      return;
    }
    if (denial || isTyping(event.target)) return;
    const action = press(event);
    if (!action) return;
    event.preventDefault();
    if (isArmed() && !isSending) action();
  };
  const allowClass = body.defaultToNo ? "btn" : "btn primary";
  const denyClass = body.defaultToNo ? "btn primary" : "btn";
  const allowButton = (
    <button
      type={body.defaultToNo ? "button" : "submit"}
      className={allowClass}
      disabled={isSending || fault !== undefined}
      data-first={body.defaultToNo || offered.length > 1 ? undefined : ""}
      onClick={body.defaultToNo ? () => yes(number) : undefined}
    >
      <Label isSending={isSending} words={button} />
      {number === 0 ? <Key action="allowOnce" /> : <Key>Enter</Key>}
    </button>
  );
  const denyButton = (
    <button
      type={body.defaultToNo ? "submit" : "button"}
      className={denyClass}
      disabled={isSending}
      data-first={body.defaultToNo ? "" : undefined}
      onClick={body.defaultToNo ? undefined : no}
    >
      Deny
      <Key action="deny" />
    </button>
  );
  return (
    <AskFrame
      ask={ask}
      icon="shield"
      error={deciding.error}
      isSending={isSending}
      onKeyDown={onKeyDown}
      onSubmit={() => {
        if (denial) noBecause(denial);
        else if (body.defaultToNo) no();
        else yes(number);
      }}
      actions={
        denial ? (
          <Deny.Actions isSending={isSending} onBack={() => setDenial(undefined)} />
        ) : (
          <div className="actions">
            {body.defaultToNo ? denyButton : allowButton}
            {body.defaultToNo ? allowButton : denyButton}
            <button type="button" className="btn quiet" disabled={isSending} onClick={() => setDenial(NO_REASON)}>
              Deny and say why
              <Key action="denyWhy" />
            </button>
            <KeyHint name="Esc" does={input.isOpen || rule !== undefined ? "goes back" : "denies"} />
          </div>
        )
      }
    >
      <div className="ask-body">
        {input.isOpen ? <InputEditor input={input} /> : <Subject ask={body} edit={<EditInput input={input} />} />}
        <Reasons {...body} />
      </div>
      {denial ? (
        <Deny.Field said={denial} onSay={setDenial} />
      ) : offered.length > 1 ? (
        <ChoiceList
          choices={offered}
          chosen={number}
          onChoose={choose}
          edited={input.isEdited ? new Map() : edited}
          onEdit={edit}
          isDisabled={isSending || input.isEdited}
        />
      ) : null}
    </AskFrame>
  );
}
