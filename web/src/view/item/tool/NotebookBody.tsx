// A change of a cell of a notebook: what came and what went, as a diff; words also as they read.

import { useMemo } from "react";
import type { Diff } from "../../../generated";
import { languageNamed } from "../../../markdown/languages";
import { Prose } from "../../../markdown/Prose";
import { DiffView } from "../../diff/DiffView";
import { lineDiff } from "../../diff/lineDiff";
import { Icon } from "../../Icon";
import { ShowAll, useWhole } from "../../whole";
import { Press } from "../inRow";
import { useOpen } from "../open";
import type { BodyProps } from "../ToolBody";
import { humanWords } from "../toolWords";
import { FileLines } from "./FileLines";

const DOES: Record<string, string> = { insert: "New cell", delete: "Removes the cell", replace: "Replaces the cell" };

export function NotebookBody({ view, id }: BodyProps<"notebook">) {
  const source = useWhole(view.source);
  const before = useWhole(view.oldSource ?? { text: "" });
  const mode = view.editMode ?? "replace";
  const isWords = view.cellType === "markdown";
  const language = isWords ? "markdown" : languageNamed(view.language ?? "python");
  const what = { source: source.text, before: before.text };
  // Only texts that are whole can be compared.
  const canCompare = mode === "replace" && before.text !== "" && !source.more && !before.more;
  return (
    <div className="well cell">
      <div className="well-head">
        <span>{DOES[mode] ?? mode}</span>
        {view.cellId === undefined ? null : <code className="cut">{view.cellId}</code>}
        <span className="grow" />
        <span>{isWords ? "Markdown" : humanWords(view.language ?? "code")}</span>
      </div>
      {canCompare ? (
        <Compared {...what} path={`${view.path}, ${view.cellId ?? "cell"}`} language={language} />
      ) : mode === "delete" ? (
        <Removed text={before.text} language={language} />
      ) : (
        <>
          {source.text === "" ? <p className="well-empty">The cell is empty</p> : null}
          {source.text === "" || isWords ? null : (
            <FileLines text={source.text} language={language} label="Cell" isAdded={mode === "insert"} />
          )}
        </>
      )}
      {mode === "delete" ? null : <ShowAll whole={source} />}
      {isWords && mode !== "delete" && source.text !== "" ? (
        <Reads id={id} text={source.text} isOpenByItself={!canCompare} />
      ) : null}
      {mode !== "insert" && !canCompare && mode !== "delete" && before.text !== "" ? (
        <Before id={id} text={before.text} language={language} />
      ) : null}
      {mode === "insert" ? null : <ShowAll whole={before} />}
    </div>
  );
}

type Language = ReturnType<typeof languageNamed>;

function Compared({
  source,
  before,
  path,
  language,
}: {
  source: string;
  before: string;
  path: string;
  language: Language;
}) {
  const diff = useMemo<Diff>(() => {
    const hunks = lineDiff(before, source);
    const count = (sign: string) => hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length;
    return {
      path,
      hunks,
      added: count("+"),
      removed: count("-"),
      created: false,
      userModified: false,
      proposed: false,
    };
  }, [source, before, path]);
  return <DiffView diff={diff} language={language} />;
}

function Removed({ text, language }: { text: string; language: Language }) {
  const diff = useMemo<Diff>(
    () => ({
      path: "the cell",
      hunks: lineDiff(text, ""),
      added: 0,
      removed: 0,
      created: false,
      userModified: false,
      proposed: false,
    }),
    [text],
  );
  return text === "" ? null : <DiffView diff={diff} language={language} />;
}

/** Words are written to be read. */
function Reads({ id, text, isOpenByItself }: { id: string; text: string; isOpenByItself: boolean }) {
  const [isOpen, toggle] = useOpen(`${id}:reads`, isOpenByItself);
  return (
    <>
      {isOpenByItself ? null : (
        <Press className="more" aria-expanded={isOpen} onClick={toggle}>
          <Icon name={isOpen ? "down" : "right"} />
          How it reads now
        </Press>
      )}
      {isOpen ? (
        <div className="cell-words">
          <Prose id={`${id}:after`} text={text} />
        </div>
      ) : null}
    </>
  );
}

function Before({ id, text, language }: { id: string; text: string; language: Language }) {
  const [isOpen, toggle] = useOpen(`${id}:before`, false);
  return (
    <>
      <Press className="more" aria-expanded={isOpen} onClick={toggle}>
        <Icon name={isOpen ? "down" : "right"} />
        What was in it before
      </Press>
      {isOpen ? <FileLines text={text} language={language} label="Cell before" /> : null}
    </>
  );
}
