// Is this plan good? The plan to read; yes, in one of the modes that are offered, or back to planning with a word.

import { type KeyboardEvent, useState } from "react";
import { inSession, patch } from "../../api/http";
import type { Ask, PlanAsk } from "../../generated";
import { Prose } from "../../markdown/Prose";
import { useSession } from "../../store/use";
import { pressedOf } from "../keys/bindings";
import { isComposing } from "../keys/chord";
import { isTyping } from "../shell/typing";
import { ShowAll, useWhole } from "../whole";
import { AskFrame } from "./AskFrame";
import { ChoiceList } from "./ChoiceList";
import { allow, type Choice, planChoices } from "./choices";
import { numberOf, useDeciding, useDock } from "./control";
import { type Denial, Deny, NO_REASON } from "./Deny";
import { Key, KeyHint, Label } from "./Key";
import { Well } from "./Subject";

const PLAN_KEYS = ["allowOnce", "allowSession", "deny", "denyWhy"] as const;

/** What the terminal offers with every plan, also where the agent suggests nothing. */
const ACCEPT_EDITS: Choice = {
  suggestion: undefined,
  what: ["Approve and accept every edit"],
  scope: ["in this session, mode ", { code: "acceptEdits" }],
  button: "Approve",
  key: "S",
  isDangerous: false,
};

export function PlanCard({ ask, body }: { ask: Ask; body: PlanAsk }) {
  const session = useSession();
  const { leave } = useDock();
  const { isSending, isArmed, send, error } = useDeciding(ask);
  const whole = useWhole(body.plan);
  const [chosen, choose] = useState(0);
  const [denial, setDenial] = useState<Denial>();
  const suggested = planChoices(body.suggestions);
  const hasMode = body.suggestions.some(({ type }) => type === "setMode");
  const offered = hasMode ? suggested : [...suggested, ACCEPT_EDITS];

  const yes = async (at: number) => {
    const choice = offered[at];
    if (!choice || isSending) return;
    const taken = await send(allow(choice, undefined, undefined));
    // If the mode stays as it was, the header says so, and the agent asks before it edits.
    if (taken && choice === ACCEPT_EDITS) {
      patch(inSession(session.id, "settings"), { mode: "acceptEdits" }).catch(() => {});
    }
  };
  const back = (said: Denial) => {
    const why = said.why.trim();
    void send({ kind: "deny", ...(why === "" ? {} : { why }), ...(said.stop ? { stop: true } : {}) });
  };
  const press = (event: KeyboardEvent): (() => void) | undefined => {
    const at = numberOf(event) - 1;
    if (at >= 0 && at < offered.length) return () => choose(at);
    switch (pressedOf(PLAN_KEYS, event)) {
      case "allowOnce":
        return () => void yes(0);
      case "allowSession": {
        const session = offered.findIndex(({ key }) => key === "S");
        return session < 0 ? undefined : () => void yes(session);
      }
      case "deny":
      case "denyWhy":
        return () => setDenial(NO_REASON);
      default:
        return undefined;
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      if (isSending) return;
      // A plan is long work: it is never sent back without a press that says so.
      if (denial) setDenial(undefined);
      else leave();
      return;
    }
    if (denial || isTyping(event.target)) return;
    const action = press(event);
    if (!action) return;
    event.preventDefault();
    if (isArmed() && !isSending) action();
  };
  return (
    <AskFrame
      ask={ask}
      icon="shield"
      error={error}
      isSending={isSending}
      onKeyDown={onKeyDown}
      onSubmit={() => {
        if (denial) back(denial);
        else void yes(chosen);
      }}
      actions={
        denial ? (
          <Deny.Actions words="Keep planning" isSending={isSending} onBack={() => setDenial(undefined)} />
        ) : (
          <div className="actions">
            <button type="submit" className="btn primary" disabled={isSending}>
              <Label isSending={isSending} words="Approve" />
              {chosen === 0 ? <Key action="allowOnce" /> : <Key>Enter</Key>}
            </button>
            <button type="button" className="btn" disabled={isSending} onClick={() => setDenial(NO_REASON)}>
              Keep planning
              <Key action="deny" />
            </button>
            <KeyHint name="Esc" does="leaves it waiting" />
          </div>
        )
      }
    >
      <div className="ask-body">
        <Well label="The plan">
          <div className="ask-plan">
            <Prose id={`ask:${ask.id}`} text={whole.text} />
          </div>
          <ShowAll whole={whole} />
        </Well>
        {body.path === undefined ? null : (
          <p className="hint">
            Kept in <code>{body.path}</code>
          </p>
        )}
      </div>
      {denial ? (
        <Deny.Field
          said={denial}
          onSay={setDenial}
          label="What should be different? The agent reads this and plans on."
          placeholder="What is missing, or too much"
        />
      ) : (
        <ChoiceList
          choices={offered}
          chosen={chosen}
          onChoose={choose}
          edited={new Map()}
          onEdit={() => {}}
          isDisabled={isSending}
        />
      )}
    </AskFrame>
  );
}
