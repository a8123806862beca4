// What the session has cost: in all, and the last turn. What that is made of is in the inspector.

import { usePart } from "../../../store/use";
import { counted, dollars } from "../../words";
import { TabButton } from "./TabButton";

export function CostMeter() {
  const meters = usePart("meters");
  return (
    <TabButton tab="cost" title={`Cost: ${counted(meters.turns, "turn")}`} className="mini cost">
      <span className="vh">Cost </span>
      <span className="strong">{dollars(meters.costUsd)}</span>
      {meters.lastTurnUsd === undefined ? null : (
        <span className="last-turn">
          <span className="vh">last turn </span>+{dollars(meters.lastTurnUsd).slice(1)}
        </span>
      )}
    </TabButton>
  );
}
