// The turns, the last one first: what began each, how long it took and what it cost; opened, by model. They add up to the cost
// of the session; those that are not on the page stand in one row.

import type { Meters } from "../../../generated";
import { useItems } from "../../../store/use";
import { type Shown, shownParts, shownWhole, written } from "../../money";
import { useNow } from "../../now";
import { counted, duration, exactly, modelName, when } from "../../words";
import { EarlierItems } from "../EarlierItems";
import { Fold } from "../Fold";
import { ShowInConversation } from "../ShowInConversation";
import { Price, Tokens } from "./CostPane";
import { DUST, type TurnRow, turnRows, turnSums } from "./sums";

export function Turns({ meters }: { meters: Meters }) {
  const rows = useItems(turnRows);
  const { own, inherited, earlier } = turnSums(rows, meters);
  const cost = shownWhole(meters.costUsd);
  const costs = shownParts(cost, [...own.map(({ turn }) => turn.costUsd ?? 0), earlier?.costUsd ?? 0]);
  if (own.length === 0 && inherited.length === 0) return null;
  return (
    <section className="pane-sec folds" aria-label="By turn">
      <div className="pane-head">
        <h2>By turn</h2>
        <span className="grow" />
        <span className="num faint">{written(cost)}</span>
      </div>
      {own.map((row, at) => (
        <Turn key={row.item.id} row={row} cost={costs[at]} />
      ))}
      {earlier === undefined ? null : (
        <div className="turn-rest">
          <span>{earlier.turns > 0 ? counted(earlier.turns, "earlier turn") : "Not part of a turn"}</span>
          <Price usd={earlier.costUsd} cost={costs.at(-1)} />
        </div>
      )}
      {inherited.length === 0 ? null : (
        <Fold id="inherited-turns" title="Before it was taken over" meta={counted(inherited.length, "turn")}>
          {inherited.map((row) => (
            <Turn key={row.item.id} row={row} cost={shownWhole(row.turn.costUsd ?? 0)} />
          ))}
        </Fold>
      )}
      <EarlierItems words="Earlier turns are not loaded yet." />
    </section>
  );
}

/** What its models cost, as parts of what it cost; or each by itself, where they are not all of it. */
function partsOf(turn: TurnRow["turn"], cost: Shown | undefined): Shown[] {
  const parts = Object.values(turn.models).map((usage) => usage.costUsd ?? 0);
  const isAll = Math.abs(parts.reduce((sum, usd) => sum + usd, 0) - (turn.costUsd ?? 0)) < DUST;
  return isAll && cost !== undefined ? shownParts(cost, parts) : parts.map((usd) => shownWhole(usd));
}

function Turn({ row: { item, turn, words }, cost }: { row: TurnRow; cost: Shown | undefined }) {
  const now = useNow(true, 10_000);
  const models = Object.entries(turn.models);
  const costs = partsOf(turn, cost);
  const label = words || "A turn";
  return (
    <Fold
      id={`turn:${item.id}`}
      title={
        <>
          <time className="faint" title={exactly(item.at)}>
            {when(item.at, now)}
          </time>{" "}
          {label}
        </>
      }
      meta={<Price usd={turn.costUsd} cost={cost} />}
      actions={<ShowInConversation item={item.id} what={label} />}
    >
      <ul className="model-list">
        {models.map(([model, usage], at) => (
          <li key={model}>
            <span title={model}>{modelName(model)}</span>
            <Price usd={usage.costUsd} cost={costs[at]} />
            <Tokens usage={usage} />
          </li>
        ))}
        {models.length === 0 && turn.usage !== undefined ? (
          <li>
            <span>Main loop</span>
            <span />
            <Tokens usage={turn.usage} />
          </li>
        ) : null}
      </ul>
      <p className="hint">
        {[
          turn.durationMs === undefined ? "" : duration(turn.durationMs),
          turn.toolCalls === 0 ? "" : counted(turn.toolCalls, "tool call"),
          turn.files.length === 0 ? "" : counted(turn.files.length, "file"),
        ]
          .filter((part) => part !== "")
          .join(" · ")}
      </p>
    </Fold>
  );
}
