// What the session has cost, and what each figure is made of: by model, by turn; and how much of the plan is left.

import type { Meters, ModelTokenUsage } from "../../../generated";
import { useKnown, usePart } from "../../../store/use";
import { exactDollars, type Shown, shownParts, shownWhole, written } from "../../money";
import { count, counted, dollars, duration, modelName } from "../../words";
import { Limits } from "./Limits";
import { type ModelRow, modelRows, total } from "./sums";
import { Turns } from "./Turns";

export function CostPane() {
  const meters = usePart("meters");
  const isKnown = useKnown();
  if (!isKnown) return null;
  return (
    <>
      <Figures meters={meters} />
      <Models meters={meters} />
      <Turns meters={meters} />
      <Limits {...meters} />
      <p className="hint pane-source">
        Every figure is a sum of the CLI’s own result messages: {counted(meters.turns, "turn")}. Dollars are the list
        price; your plan may bill otherwise.
      </p>
    </>
  );
}

function Figures({ meters }: { meters: Meters }) {
  const facts: [string, string | undefined][] = [
    ["Last turn", meters.lastTurnUsd === undefined ? undefined : dollars(meters.lastTurnUsd)],
    ["Turns", meters.turns.toLocaleString()],
    ["Time in turns", meters.durationMs === 0 ? undefined : duration(meters.durationMs)],
    ["Before it was taken over", meters.inheritedUsd > 0 ? `${dollars(meters.inheritedUsd)}, not counted` : undefined],
  ];
  return (
    <section aria-label="This session">
      <div className="pane-figure">
        <strong title={exactDollars(meters.costUsd)}>{written(shownWhole(meters.costUsd))}</strong>
        <span className="muted">this session</span>
      </div>
      <dl className="fact-list">
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name} className="fact-row">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}

function Models({ meters }: { meters: Meters }) {
  const rows = modelRows(meters);
  const cost = shownWhole(meters.costUsd);
  const costs = shownParts(
    cost,
    rows.map(({ usage }) => usage.costUsd ?? 0),
  );
  if (rows.length === 0) return null;
  return (
    <section className="pane-sec" aria-label="By model">
      <div className="pane-head">
        <h2>By model</h2>
      </div>
      <ul className="model-list">
        {rows.map((row, at) => (
          <ModelCard key={row.model ?? ""} row={row} cost={costs[at]} />
        ))}
        {rows.length > 1 ? (
          <li className="sum">
            <span>All models</span>
            <strong className="num">{written(cost)}</strong>
            <Tokens usage={total(rows)} />
          </li>
        ) : null}
      </ul>
    </section>
  );
}

function ModelCard({ row: { model, usage }, cost }: { row: ModelRow; cost: Shown | undefined }) {
  return (
    <li>
      <span title={model}>{model === undefined ? "Not told apart by model" : modelName(model)}</span>
      <Price usd={usage.costUsd} cost={cost} />
      {model === undefined ? null : <Tokens usage={usage} />}
    </li>
  );
}

/** What something cost, as a part of what stands above it; not everything has a price. */
export function Price({ usd, cost }: { usd: number | undefined; cost: Shown | undefined }) {
  return usd === undefined || cost === undefined ? (
    <span className="num">no price</span>
  ) : (
    <span className="num" title={exactDollars(usd)}>
      {written(cost)}
    </span>
  );
}

/** Sent, of that from and into the cache, and answered. */
export function Tokens({ usage }: { usage: ModelTokenUsage }) {
  const parts: [string, number | undefined][] = [
    ["in", usage.inputTokens],
    ["cache written", usage.cacheCreationTokens],
    ["cache read", usage.cacheReadTokens],
    ["out", usage.outputTokens],
    ["thinking", usage.thinkingTokens],
    ["web searches", usage.webSearchRequests],
  ];
  return (
    <span className="tokens">
      {parts.map(([name, tokens]) =>
        tokens === undefined || (tokens === 0 && name !== "in" && name !== "out") ? null : (
          <span key={name} title={tokens.toLocaleString()}>
            <span className="num">{count(tokens)}</span> {name}
          </span>
        ),
      )}
    </span>
  );
}
