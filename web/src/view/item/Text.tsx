// Words of the agent. `isEndTold`: does something else say why they end where they do?

import type { Item, TextItem } from "../../generated";
import { Prose } from "../../markdown/Prose";
import { ShowAll, useWhole } from "../whole";

export function Text({ item, text, isEndTold }: { item: Item; text: TextItem; isEndTold: boolean }) {
  const whole = useWhole(text.text);
  return (
    <div className="step say">
      <span className="node" />
      <div className="step-in">
        <Prose id={item.id} text={whole.text} />
        <ShowAll whole={whole} />
        {text.aborted && !isEndTold ? <p className="body-note">Cut off here</p> : null}
      </div>
    </div>
  );
}
