// A tool that we have no picture of, also one of an MCP server: what it was told, and what it gave.

import type { Clip } from "../../../generated";
import { ShowAll, useWhole } from "../../whole";
import type { BodyProps } from "../ToolBody";
import { JsonTree, parseJson } from "./JsonTree";
import { Terminal } from "./Terminal";

export function OtherBody({ view, tool, id }: BodyProps<"mcp"> | BodyProps<"other">) {
  const hasEnded = tool !== undefined && tool.endedAt !== undefined;
  return (
    <>
      {tool === undefined || tool.input.text.length <= 2 ? null : (
        <Value clip={tool.input} id={`${id}:input`} label="Input" />
      )}
      {view.output.text !== "" ? (
        <Value clip={view.output} id={`${id}:output`} label="Result" />
      ) : hasEnded && tool.error === undefined && tool.images.length === 0 ? (
        <p className="body-note">No output</p>
      ) : null}
    </>
  );
}

/** A JSON value as a tree, anything else as text. */
export function Value({ clip, id, label }: { clip: Clip; id: string; label: string }) {
  const whole = useWhole(clip);
  const value = whole.more ? undefined : parseJson(whole.text);
  if (value === undefined) {
    return (
      <>
        <p className="body-note">{label}</p>
        <Terminal output={clip} id={id} />
      </>
    );
  }
  return (
    <>
      <p className="body-note">{label}</p>
      <div className="well">
        <JsonTree value={value} id={id} />
        <ShowAll whole={whole} />
      </div>
    </>
  );
}
