// A cell of a notebook: code as code, words as words; what was in it before, on demand.

import { languageNamed } from "../../../markdown/languages";
import { Prose } from "../../../markdown/Prose";
import { Icon } from "../../Icon";
import { ShowAll, useWhole } from "../../whole";
import { Press } from "../inRow";
import { useOpen } from "../open";
import type { BodyProps } from "../ToolBody";
import { FileLines } from "./FileLines";

const DOES: Record<string, string> = { insert: "New cell", delete: "Removes the cell", replace: "Replaces the cell" };

export function NotebookBody({ view, id }: BodyProps<"notebook">) {
  const source = useWhole(view.source);
  const before = useWhole(view.oldSource ?? { text: "" });
  const [isOpen, toggle] = useOpen(`${id}:before`, view.editMode === "delete");
  const isWords = view.cellType === "markdown";
  const cell = (text: string, name: string) =>
    isWords ? (
      <div className="cell-words">
        <Prose id={`${id}:${name}`} text={text} />
      </div>
    ) : (
      <FileLines text={text} language={languageNamed(view.language ?? "python")} label={`Cell, ${name}`} />
    );
  return (
    <div className="well cell">
      <div className="well-head">
        <span>{DOES[view.editMode ?? "replace"] ?? view.editMode}</span>
        {view.cellId === undefined ? null : <code className="cut">{view.cellId}</code>}
        <span className="grow" />
        <span>{isWords ? "Markdown" : (view.language ?? "Code")}</span>
      </div>
      {view.editMode === "delete" || source.text === "" ? null : cell(source.text, "after")}
      <ShowAll whole={source} />
      {before.text === "" ? null : (
        <>
          <Press className="more" aria-expanded={isOpen} onClick={toggle}>
            <Icon name={isOpen ? "down" : "right"} />
            What was in it before
          </Press>
          {isOpen ? cell(before.text, "before") : null}
        </>
      )}
    </div>
  );
}
