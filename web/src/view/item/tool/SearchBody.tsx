// What a search over files found: paths, or lines with their places.

import { useState } from "react";
import { Icon } from "../../Icon";
import { ShowAll, useWhole } from "../../whole";
import { counted } from "../../words";
import { Press } from "../inRow";
import type { BodyProps } from "../ToolBody";

const FIRST = 16;

/** `src/a.rs:12:` before what stands in that line. */
const PLACE = /^((?:[A-Za-z]:)?[^:\n]{1,300}?:\d+[:-])(.*)$/;

export function SearchBody({ view, tool }: BodyProps<"search">) {
  const output = useWhole(view.output);
  const [isAll, setAll] = useState(false);
  const lines = output.text.trim() === "" ? [] : output.text.replace(/\n+$/, "").split("\n");
  const shown = isAll || lines.length <= FIRST + 4 ? lines : lines.slice(0, FIRST);
  const where = view.path === undefined ? null : <p className="body-note">in {view.path}</p>;
  if (lines.length === 0) {
    return tool?.status === "completed" ? <p className="body-note">Nothing found</p> : where;
  }
  return (
    <>
      {where}
      <div className="well">
        <pre>
          {shown.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move.
            <Found key={at} line={line} />
          ))}
        </pre>
        {shown.length < lines.length ? (
          <Press className="more" onClick={() => setAll(true)}>
            <Icon name="down" />
            {counted(lines.length - shown.length, "more line")}
          </Press>
        ) : null}
        <ShowAll whole={output} />
      </div>
    </>
  );
}

function Found({ line }: { line: string }) {
  const [, place, rest] = PLACE.exec(line) ?? [];
  return (
    <>
      {place === undefined ? (
        line
      ) : (
        <>
          <span className="a-c">{place}</span>
          {rest}
        </>
      )}
      {"\n"}
    </>
  );
}
