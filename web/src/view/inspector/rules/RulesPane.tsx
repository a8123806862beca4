// What the agent may do without asking, and what not at all: the rules in force, and those granted in this session.

import { useEffect, useState } from "react";
import { ApiError } from "../../../api/http";
import { askRules, type RulesAnswer } from "../../../api/inspect";
import { useItems, useKnown, usePart, useSession, useSocket } from "../../../store/use";
import { Arc, Icon } from "../../Icon";
import { byWhom } from "../../item/toolWords";
import { useAction } from "../../shell/useAction";
import { clock, exactly, modeMeaning, modeWords } from "../../words";
import { EarlierItems } from "../EarlierItems";
import { ShowInConversation } from "../ShowInConversation";
import { grants, type Rule, ruleGroups, ruleNote, sourceWords } from "./rules";

export function RulesPane() {
  const isKnown = useKnown();
  const { answer, isBusy, error, ask } = useRules();
  if (!isKnown) return null;
  return (
    <>
      <Mode />
      <Granted />
      <section className="pane-sec" aria-label="Rules in force">
        <div className="pane-head">
          <h2>Rules in force</h2>
          <span className="grow" />
          {isBusy ? (
            <span className="row hint">
              <Arc /> Asking the agent
            </span>
          ) : null}
          {answer === undefined || isBusy ? null : (
            <button type="button" className="btn quiet sm" onClick={ask}>
              Ask again
            </button>
          )}
        </div>
        {error === undefined ? null : (
          <div className="pane-more" role="alert">
            <p className="hint is-danger">{error}</p>
            <button type="button" className="btn sm" onClick={ask}>
              Try again
            </button>
          </div>
        )}
        {answer === undefined ? null : <InForce answer={answer} />}
      </section>
    </>
  );
}

function Mode() {
  const { mode } = usePart("status");
  const isBypass = mode === "bypassPermissions";
  return (
    <section aria-label="Permission mode">
      <div className="pane-head">
        <h2 className={isBypass ? "is-danger" : ""}>{modeWords(mode)}</h2>
      </div>
      <p className={isBypass ? "hint is-danger" : "hint"}>
        {mode === undefined ? "The agent says it with its first turn." : modeMeaning(mode) || "The permission mode."}
        {isBypass ? " Only rules that deny still hold." : ""}
      </p>
    </section>
  );
}

function Granted() {
  const given = useItems(grants);
  const { lostGrants } = usePart("status");
  const me = useSocket().device();
  return (
    <section className="pane-sec" aria-label="Granted in this session">
      <div className="pane-head">
        <h2>Granted in this session</h2>
      </div>
      {given.length === 0 && lostGrants.length === 0 ? (
        <p className="hint">Nobody has allowed more than single calls.</p>
      ) : null}
      <ul className="rule-list">
        {given.map(({ item, decision, rules }) => (
          <li key={item.id}>
            <Icon
              name={decision.outcome === "denied" ? "bad" : "okring"}
              className={decision.outcome === "denied" ? "" : "is-done"}
            />
            <span className="rule-words">{rules.join(", ")}</span>
            <ShowInConversation item={item.id} what={rules.join(", ")} />
            <span className="hint" title={exactly(decision.at)}>
              {decision.outcome === "denied" ? "Denied" : "Allowed"} {byWhom(decision.by, me)}, {clock(decision.at)}
            </span>
          </li>
        ))}
        {lostGrants.map((words) => (
          <li key={words}>
            <Icon name="blocked" />
            <span className="rule-words muted">{words}</span>
            <span className="hint">Was for the session only, and ended with its agent</span>
          </li>
        ))}
      </ul>
      <EarlierItems words="Earlier turns are not loaded; more may have been granted there." />
    </section>
  );
}

function InForce({ answer }: { answer: RulesAnswer }) {
  const groups = ruleGroups(answer.rules);
  return (
    <>
      {groups.length === 0 ? <p className="hint">There are no rules: the permission mode decides alone.</p> : null}
      {groups.map(({ behavior, name, rules }) => (
        <section key={behavior} aria-label={name}>
          <h3 className="pane-group">
            {name} <span className="num">{rules.length}</span>
          </h3>
          <ul className="rule-list">
            {rules.map((rule, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same rule may stand in several places, and none moves.
              <RuleRow key={at} rule={rule} />
            ))}
          </ul>
        </section>
      ))}
      {answer.directories.length === 0 ? null : (
        <section aria-label="Folders">
          <h3 className="pane-group">
            Other folders it may work in <span className="num">{answer.directories.length}</span>
          </h3>
          <ul className="rule-list">
            {answer.directories.map(({ path, source }) => (
              <li key={path}>
                <Icon name="folder" />
                <code>{path}</code>
                {!source ? null : <span className="hint">{sourceWords(source)}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="hint pane-source">
        {answer.source === "agent"
          ? "As the agent says. What denies goes before what asks, and that before what allows."
          : "As the settings files say: the agent does not list its rules. What was granted for this session only stands above."}
      </p>
    </>
  );
}

const GLYPHS: Record<string, "bad" | "ask" | "okring"> = { deny: "bad", ask: "ask", allow: "okring" };

function RuleRow({ rule }: { rule: Rule }) {
  return (
    <li>
      <Icon
        name={GLYPHS[rule.behavior] ?? "shield"}
        className={rule.behavior === "allow" ? "is-done" : rule.behavior === "deny" ? "is-danger" : ""}
      />
      <code>{rule.rule}</code>
      <span className="hint">{ruleNote(rule)}</span>
    </li>
  );
}

function useRules() {
  const { id } = useSession();
  const { agent, mode } = usePart("status");
  const { run, isBusy, error } = useAction();
  const [answer, setAnswer] = useState<RulesAnswer | undefined>();
  const [times, setTimes] = useState(0);
  useEffect(() => {
    // Another mode or another agent may have other rules.
    void agent;
    void mode;
    void times;
    const abort = new AbortController();
    run(async () => {
      try {
        setAnswer(await askRules(id, abort.signal));
      } catch (cause) {
        if (abort.signal.aborted) return;
        if (cause instanceof ApiError && cause.code === "no_route")
          throw new Error("This server does not tell the rules.");
        throw cause;
      }
    });
    return () => abort.abort();
  }, [id, agent, mode, times, run]);
  return { answer, isBusy, error, ask: () => setTimes((before) => before + 1) };
}
