// A skill: what it was told and what it gave.

import { Prose } from "../../../markdown/Prose";
import { ShowAll, useWhole } from "../../whole";
import { Scrollable } from "../Scrollable";
import type { BodyProps } from "../ToolBody";

export function SkillBody({ view, id }: BodyProps<"skill">) {
  const output = useWhole(view.output);
  return (
    <div className="slip">
      <p className="slip-line">
        <code>{view.skill}</code> {view.args}
      </p>
      {output.text === "" ? null : (
        <Scrollable className="slip-text" label="Text">
          <Prose id={`${id}:output`} text={output.text} />
          <ShowAll whole={output} />
        </Scrollable>
      )}
    </div>
  );
}
