// Words of the agent.

import type { Item, TextItem } from "../../generated";
import { Prose } from "../../markdown/Prose";
import { ShowAll, useWhole } from "../whole";

export function Text({ item, text }: { item: Item; text: TextItem }) {
  const whole = useWhole(text.text);
  return (
    <div className="step say">
      <span className="node" />
      <div className="step-in">
        <Prose id={item.id} text={whole.text} />
        <ShowAll whole={whole} />
        {text.aborted ? <p className="body-note">Cut off here</p> : null}
      </div>
    </div>
  );
}
