// What a command wrote: its last lines, with colours; the ones before on demand.

import { useMemo, useState } from "react";
import { Ansi } from "../../../ansi/Ansi";
import { parseAnsi } from "../../../ansi/ansi";
import type { Clip } from "../../../generated";
import { Icon } from "../../Icon";
import { ShowAll, useWhole } from "../../whole";
import { counted } from "../../words";
import { CopyButton } from "../CopyButton";
import { Press } from "../inRow";
import { useOpen } from "../open";
import { Scrollable } from "../Scrollable";

/** So many lines are shown at first … */
const LAST = 12;
/** … and so many more each time the reader asks. */
const STEP = 2000;

type Props = {
  output: Clip;
  id: string;
  isFailed?: boolean;
  command?: string | undefined;
  emptyWords?: string | undefined;
};

export function Terminal({ output, id, isFailed = false, command, emptyWords }: Props) {
  const whole = useWhole(output);
  const lines = useMemo(() => trimmed(parseAnsi(whole.text)), [whole.text]);
  const [isOpen, toggle] = useOpen(`${id}:lines`, lines.length <= LAST + 2);
  const [more, setMore] = useState(STEP);
  const shown = isOpen ? Math.max(LAST, more) : LAST;
  const hidden = Math.max(0, lines.length - shown);
  const grow = () => (isOpen ? setMore(more + STEP) : toggle());
  return (
    <div className={isFailed ? "well failed" : "well"}>
      {command === undefined ? null : (
        <Scrollable className="cmd" label="Command">
          <code>
            <span className="pr" aria-hidden="true">
              ${" "}
            </span>
            {command}
          </code>
        </Scrollable>
      )}
      {hidden > 0 ? (
        <Press className="more" onClick={grow}>
          <Icon name="up" />
          {counted(hidden, "earlier line")}
        </Press>
      ) : null}
      {lines.length > 0 ? (
        <pre>
          <Ansi lines={lines.slice(hidden)} />
        </pre>
      ) : emptyWords === undefined ? null : (
        <p className="well-empty">{emptyWords}</p>
      )}
      <ShowAll whole={whole} />
      {lines.length > 0 ? (
        <span className="well-copy">
          <CopyButton text={() => Promise.resolve(plain(lines))} what="output" />
        </span>
      ) : null}
    </div>
  );
}

type Parsed = ReturnType<typeof parseAnsi>;

const plain = (lines: Parsed): string => lines.map((line) => line.map((piece) => piece.text).join("")).join("\n");

const isEmpty = (line: Parsed[number] | undefined): boolean =>
  line?.every((piece) => piece.text.trim() === "") ?? false;

/** Without empty lines at both ends. */
function trimmed(lines: Parsed): Parsed {
  let [from, to] = [0, lines.length];
  while (from < to && isEmpty(lines[from])) from++;
  while (to > from && isEmpty(lines[to - 1])) to--;
  return lines.slice(from, to);
}
