// What the session has cost: in all, the last turn, and by model.

import type { Meters } from "../../../generated";
import { usePart } from "../../../store/use";
import { Popover } from "../../shell/Popover";
import { count, counted, dollars, duration, modelName } from "../../words";

export function CostMeter() {
  const meters = usePart("meters");
  return (
    <Popover
      label="Cost"
      title={`Cost: ${counted(meters.turns, "turn")}`}
      className="mini cost"
      button={
        <>
          <span className="vh">Cost </span>
          <span className="strong">{dollars(meters.costUsd)}</span>
          {meters.lastTurnUsd === undefined ? null : (
            <span className="last-turn">
              <span className="vh">last turn </span>+{dollars(meters.lastTurnUsd).slice(1)}
            </span>
          )}
        </>
      }
    >
      <CostTable meters={meters} />
    </Popover>
  );
}

function CostTable({ meters }: { meters: Meters }) {
  const models = Object.entries(meters.models).sort(([, a], [, b]) => (b.costUsd ?? 0) - (a.costUsd ?? 0));
  return (
    <div className="facts">
      <h2>
        Cost <span className="num">{dollars(meters.costUsd)}</span>
      </h2>
      <dl className="fact-list">
        {meters.lastTurnUsd === undefined ? null : (
          <>
            <dt>Last turn</dt>
            <dd>{dollars(meters.lastTurnUsd)}</dd>
          </>
        )}
        <dt>Turns</dt>
        <dd>{meters.turns}</dd>
        <dt>Time in turns</dt>
        <dd>{duration(meters.durationMs)}</dd>
        {meters.inheritedUsd > 0 ? (
          <>
            <dt>Spent before it was taken over</dt>
            <dd>{dollars(meters.inheritedUsd)}</dd>
          </>
        ) : null}
      </dl>
      {models.length === 0 ? null : (
        <table className="fact-table">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col" className="r">
                In
              </th>
              <th scope="col" className="r">
                Cached
              </th>
              <th scope="col" className="r">
                Out
              </th>
              <th scope="col" className="r">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {models.map(([model, usage]) => (
              <tr key={model}>
                <th scope="row" title={model}>
                  {modelName(model)}
                </th>
                <td className="r">{count(usage.inputTokens + (usage.cacheCreationTokens ?? 0))}</td>
                <td className="r">{count(usage.cacheReadTokens ?? 0)}</td>
                <td className="r">{count(usage.outputTokens)}</td>
                <td className="r">{usage.costUsd === undefined ? "" : dollars(usage.costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="hint">The running total that the CLI reports, in tokens and dollars.</p>
    </div>
  );
}
