// A page of the web: its address, what was asked about it, and what came of it.

import { Prose } from "../../../markdown/Prose";
import { ShowAll, useWhole } from "../../whole";
import { Scrollable } from "../Scrollable";
import type { BodyProps } from "../ToolBody";
import { WebLink } from "./WebLink";

export function FetchBody({ view, id }: BodyProps<"fetch">) {
  // Half an address leads elsewhere.
  const url = useWhole(view.url);
  const output = useWhole(view.output);
  return (
    <div className="slip">
      <p className="slip-line">{url.more ? <code>{url.text}</code> : <WebLink url={url.text} />}</p>
      <ShowAll whole={url} />
      {view.prompt === undefined ? null : <p className="slip-line muted">{view.prompt}</p>}
      {output.text === "" ? null : (
        <Scrollable className="slip-text" label="Text">
          <Prose id={`${id}:output`} text={output.text} />
          <ShowAll whole={output} />
        </Scrollable>
      )}
    </div>
  );
}
