// The change of a file: its parts in, lines with numbers, signs, colours and marked words out.

import { useMemo, useState } from "react";
import type { Diff } from "../../generated";
import type { Lines } from "../../markdown/blocks";
import { Spans } from "../../markdown/Code";
import { useHighlight } from "../../markdown/client";
import { type Language, languageOfPath } from "../../markdown/languages";
import { useSession } from "../../store/use";
import { Press } from "../item/inRow";
import { Scrollable } from "../item/Scrollable";
import { fetchWhole } from "../whole";
import { bytes, counted } from "../words";
import { HEAD_LINES, headOf, limitOf } from "./limit";
import { type DiffLine, diffLines } from "./lines";
import { pieces } from "./pieces";
import { wholeDiff } from "./wholeDiff";

/** `language` is that of its lines, where the path does not say it. */
export function DiffView({ diff: given, language: own }: { diff: Diff; language?: Language | undefined }) {
  const all = useAll(given);
  const diff = all.diff;
  const { lines, oldText, newText } = useMemo(() => diffLines(diff), [diff]);
  const [isAll, setAll] = useState(false);
  const limit = useMemo(() => limitOf(lines.map((line) => ("text" in line ? line.text : ""))), [lines]);
  const isCut = limit !== undefined && !isAll;
  const language = isCut && limit.isLong ? undefined : (own ?? languageOfPath(diff.path));
  const oldLines = useHighlight(oldText, language);
  const newLines = useHighlight(newText, language);
  const shown = isCut ? lines.slice(0, HEAD_LINES) : lines;
  const gutters = guttersOf(lines);
  if (lines.length === 0) return <p className="well-empty">No lines changed</p>;
  return (
    <figure className={GUTTERS[gutters]} aria-label={`Changes in ${diff.path}`}>
      <Scrollable label={`Changes in ${diff.path}`}>
        {shown.map((line, at) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff do not move.
            key={at}
            line={line}
            gutters={gutters}
            oldLines={oldLines}
            newLines={newLines}
            isCut={isCut}
          />
        ))}
      </Scrollable>
      {isCut ? (
        <Press className="more" onClick={() => setAll(true)}>
          Show anyway, {limit.words}
        </Press>
      ) : null}
      {diff.more ? <ShowAll all={all} bytes={diff.more.bytes} /> : null}
    </figure>
  );
}

type All = { diff: Diff; state: "head" | "coming" | "failed"; bring: () => void };

/** The change as far as the state has it, and the way to the whole. */
function useAll(given: Diff): All {
  const session = useSession();
  const [all, setAll] = useState<{ of: Diff; diff: Diff } | undefined>();
  const [state, setState] = useState<All["state"]>("head");
  const bring = async () => {
    if (!given.more) return;
    setState("coming");
    try {
      // What its parts stand in is longer than they are.
      const { seq, pointer } = given.more;
      const diff = wholeDiff(given, await fetchWhole(session.id, { seq, pointer }));
      if (diff) setAll({ of: given, diff });
      setState(diff ? "head" : "failed");
    } catch {
      setState("failed");
    }
  };
  return { diff: all?.of === given ? all.diff : given, state, bring };
}

function ShowAll({ all, bytes: size }: { all: All; bytes: number }) {
  return (
    <Press className="more" onClick={all.bring} disabled={all.state === "coming"}>
      {all.state === "failed" ? <span className="is-danger">Could not load it.</span> : null}
      {all.state === "failed" ? "Try again" : all.state === "coming" ? "Loading" : `Show all, ${bytes(size)}`}
    </Press>
  );
}

const GUTTERS = ["diff no-gutter", "diff one-gutter", "diff"] as const;

/** How many columns of numbers it needs: none if the place is not known, one if there was nothing before. */
function guttersOf(lines: readonly DiffLine[]): 0 | 1 | 2 {
  if (!lines.some((line) => "old" in line && (line.old !== undefined || line.new !== undefined))) return 0;
  return lines.some((line) => line.kind === "removed" || line.kind === "same") ? 2 : 1;
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;
const CLASSES = { same: "dl", added: "dl add", removed: "dl del" } as const;

type LineProps = {
  line: DiffLine;
  gutters: 0 | 1 | 2;
  oldLines: Lines | undefined;
  newLines: Lines | undefined;
  isCut: boolean;
};

function Line({ line, gutters, oldLines, newLines, isCut }: LineProps) {
  if (line.kind === "gap") {
    return (
      <div className="dl gap">
        <span className="c">{line.lines === undefined ? "⋯" : counted(line.lines, "line")}</span>
      </div>
    );
  }
  if (line.kind === "note") {
    return (
      <div className="dl gap">
        <span className="c">{line.text}</span>
      </div>
    );
  }
  const coloured = line.newAt === undefined ? oldLines?.[line.oldAt ?? -1] : newLines?.[line.newAt];
  const text = isCut ? headOf(line.text) : line.text;
  const spans = text === line.text && coloured ? coloured : [{ text }];
  return (
    <div className={CLASSES[line.kind]}>
      {gutters === 2 ? <span className="n o">{line.old}</span> : null}
      {gutters === 0 ? null : <span className="n">{line.new}</span>}
      <span className="s" aria-hidden="true">
        {SIGNS[line.kind]}
      </span>
      <span className="c">
        {line.kind === "same" ? null : <span className="vh">{line.kind}: </span>}
        {line.marks.length === 0 ? <Spans spans={spans} /> : <Marked line={line} spans={spans} />}
      </span>
    </div>
  );
}

function Marked({ line, spans }: { line: Exclude<DiffLine, { kind: "gap" | "note" }>; spans: Lines[number] }) {
  return pieces(spans, line.marks).map((piece, at) =>
    piece.isMarked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line do not move.
      <b key={at}>
        <Spans spans={[piece]} />
      </b>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line do not move.
      <Spans key={at} spans={[piece]} />
    ),
  );
}
