// How full the context is, what fills it, and where it was compacted.

import type { Context } from "../../../generated";
import { useKnown, usePart } from "../../../store/use";
import { Arc, Icon } from "../../Icon";
import { FAR } from "../../session/forecast";
import { levelClass } from "../../session/header/Meter";
import { useForecast } from "../../session/useForecast";
import { clock, count, counted, percent } from "../../words";
import { Fold } from "../Fold";
import { Compact } from "./Compact";
import { Compactions } from "./Compactions";
import { Gauge } from "./Gauge";
import { type ContextPart, detailsOf, fullness, NEARLY_FULL, partsOf } from "./parts";
import { Report } from "./Report";
import { useContextAnswer } from "./useContextAnswer";

export function ContextPane() {
  const { context } = usePart("meters");
  const isKnown = useKnown();
  const asked = useContextAnswer();
  const { answer } = asked;
  const parts = partsOf(answer, context);
  const share = fullness(context);
  if (!isKnown) return null;
  return (
    <>
      <Head context={context} share={share} compactsAt={answer?.autoCompactThreshold} />
      {share !== undefined && share >= NEARLY_FULL ? (
        <p className="pane-warning is-warn">
          <Icon name="warn" />
          <span>
            Little room is left.{" "}
            {answer?.isAutoCompactEnabled === false
              ? "The agent does not compact by itself here: compact now, or begin a new session."
              : "Compact now and say what to keep; otherwise the agent does it by itself when it is full."}
          </span>
        </p>
      ) : null}
      <Compact />
      <section className="pane-sec" aria-label="What fills it">
        <div className="pane-head">
          <h2>What fills it</h2>
          <span className="grow" />
          {asked.isBusy && !asked.isLate ? (
            <span className="row hint">
              <Arc /> Asking the agent
            </span>
          ) : (
            <Source context={context} />
          )}
        </div>
        <Parts parts={parts} />
        <Report asked={asked} hasParts={parts.length > 0} />
      </section>
      <Details answer={answer} />
      <Compactions marks={context.compactions} times={context.compacted} window={context.window} />
    </>
  );
}

function Head({
  context,
  share,
  compactsAt,
}: {
  context: Context;
  share: number | undefined;
  compactsAt?: number | undefined;
}) {
  const { used, window = 0 } = context;
  if (share === undefined || used === undefined) {
    return (
      <>
        <div className="pane-head">
          <h2>Context</h2>
        </div>
        <p className="hint">How full it is is known after the first answer.</p>
      </>
    );
  }
  const words = `${used.toLocaleString()} of ${window.toLocaleString()} tokens`;
  const last = context.compactions.at(-1)?.before;
  const at = (tokens: number | undefined) =>
    tokens === undefined || window === 0 ? undefined : (tokens / window) * 100;
  const next = at(compactsAt);
  return (
    <section aria-label="Context">
      <div className="pane-figure">
        <strong className={levelClass(share)}>{percent(share)}</strong>
        <span className="muted num">{words}</span>
      </div>
      <Gauge
        share={share}
        compactsAt={next}
        compactedAt={last === undefined ? [] : [at(last) ?? 0]}
        label={`${percent(share)} full`}
      />
      <p className="gauge-words hint">
        {next === undefined ? null : <span>Compacts by itself at {percent(next)}</span>}
        {last === undefined ? null : <span>Last compacted at {percent(at(last) ?? 0)}</span>}
      </p>
      <Ahead />
    </section>
  );
}

/** How many turns fit, and how good such numbers were. */
function Ahead() {
  const ahead = useForecast();
  if (ahead === undefined) return null;
  const { turns, growth, past, isByItself } = ahead;
  const until = isByItself ? "it compacts" : "it is full";
  const words =
    turns === 0
      ? `Less than one turn fits before ${until}`
      : `${turns > FAR ? "More than" : "About"} ${counted(Math.min(turns, FAR), "more turn")} before ${until}`;
  return (
    <p className="ahead">
      {words}, at {count(growth)} tokens a turn.
      {past === undefined ? null : (
        <span className="hint">
          {" "}
          {past.count === 1 ? "The last forecast was off by" : `The last ${past.count} forecasts were off by`}{" "}
          {counted(past.error, "turn")}
          {past.count === 1 ? "." : ", in the middle."}
        </span>
      )}
    </p>
  );
}

function Source({ context }: { context: Context }) {
  return context.categoriesAt === undefined ? null : (
    <span className="hint num">as the agent said at {clock(context.categoriesAt)}</span>
  );
}

function Parts({ parts }: { parts: readonly ContextPart[] }) {
  if (parts.length === 0) return null;
  const most = Math.max(1, ...parts.filter(({ kind }) => kind !== "free").map(({ tokens }) => tokens));
  const all = parts.reduce((sum, { kind, tokens }) => (kind === "outside" ? sum : sum + tokens), 0);
  return (
    <table className="fact-table">
      <caption className="vh">Parts of the context in tokens</caption>
      <tbody>
        {parts.map(({ name, tokens, kind }) => (
          <tr key={name} className={kind === "used" ? "" : "is-rest"}>
            <th scope="row">
              {name}
              {kind === "outside" ? <span className="faint"> · not loaded</span> : null}
            </th>
            <td>
              {kind === "used" ? (
                <svg className="share" viewBox="0 0 56 6" preserveAspectRatio="none" aria-hidden="true">
                  <rect className="t" width="56" height="6" rx="3" />
                  <rect className="f" width={(tokens / most) * 56} height="6" rx="3" />
                </svg>
              ) : null}
            </td>
            <td className="r">{count(tokens)}</td>
            <td className="r faint">{kind === "outside" || all === 0 ? "" : percent((tokens / all) * 100)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Details({ answer }: { answer: Parameters<typeof detailsOf>[0] }) {
  const lists = detailsOf(answer);
  return lists.length === 0 ? null : (
    <section className="pane-sec folds" aria-label="In detail">
      {lists.map(({ title, details }) => (
        <Fold
          key={title}
          id={`context:${title}`}
          title={
            <>
              {title} <span className="num faint">{details.length}</span>
            </>
          }
          meta={`${count(details.reduce((sum, { tokens }) => sum + tokens, 0))} tokens`}
        >
          <ul className="detail-list">
            {details.map(({ name, hint, tokens }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same name may stand there twice, and none moves.
              <li key={at}>
                <span className="cut-start" title={name}>
                  <bdi>{name}</bdi>
                </span>
                <span className="faint cut">{hint}</span>
                <span className="num">{count(tokens)}</span>
              </li>
            ))}
          </ul>
        </Fold>
      ))}
    </section>
  );
}
