// The text of a file with the numbers of its lines, coloured; the first lines, and what is long on demand.

import { useMemo, useState } from "react";
import { Spans } from "../../../markdown/Code";
import { useHighlight } from "../../../markdown/client";
import type { Language } from "../../../markdown/languages";
import { headOf, lineLimit } from "../../diff/limit";
import { Icon } from "../../Icon";
import { counted } from "../../words";
import { Press } from "../inRow";
import { Scrollable } from "../Scrollable";

const FIRST = 24;
const STEP = 1000;

type Props = {
  text: string;
  language: Language | undefined;
  startLine?: number | undefined;
  label: string;
  isAdded?: boolean;
};

export function FileLines({ text, language, startLine = 1, label, isAdded = false }: Props) {
  const [most, setMost] = useState(FIRST);
  const [isAll, setAll] = useState(false);
  const lines = useMemo(() => text.replace(/\n$/, "").split("\n"), [text]);
  const limit = useMemo(() => lineLimit(lines), [lines]);
  const isCut = limit !== undefined && !isAll;
  const coloured = useHighlight(text, isCut ? undefined : language);
  // A few lines more are shown rather than named.
  const shown = lines.length <= most + 4 ? lines.length : most;
  return (
    <figure className="diff one-gutter" aria-label={label}>
      <Scrollable label={label}>
        {lines.slice(0, shown).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move.
          <div key={at} className={isAdded ? "dl add" : "dl"}>
            <span className="n">{startLine + at}</span>
            <span className="s" aria-hidden="true">
              {isAdded ? "+" : ""}
            </span>
            <span className="c">
              <Spans spans={coloured?.[at] ?? [{ text: isCut ? headOf(line) : line }]} />
            </span>
          </div>
        ))}
      </Scrollable>
      {isCut ? (
        <Press className="more" onClick={() => setAll(true)}>
          Show anyway, {limit.words}
        </Press>
      ) : null}
      {shown < lines.length ? (
        <Press className="more" onClick={() => setMost(most + STEP)}>
          <Icon name="down" />
          {counted(lines.length - shown, "more line")}
        </Press>
      ) : null}
    </figure>
  );
}
