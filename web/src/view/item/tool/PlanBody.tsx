// A plan.

import { Prose } from "../../../markdown/Prose";
import { ShowAll, useWhole } from "../../whole";
import { Scrollable } from "../Scrollable";
import type { BodyProps } from "../ToolBody";

export function PlanBody({ view, id }: BodyProps<"plan">) {
  const plan = useWhole(view.plan);
  return (
    <div className="slip">
      <Scrollable className="slip-text" label="Text">
        <Prose id={`${id}:plan`} text={plan.text} />
        <ShowAll whole={plan} />
      </Scrollable>
      {view.path === undefined ? null : (
        <p className="slip-line muted">
          <code>{view.path}</code>
        </p>
      )}
    </div>
  );
}
