// A notebook that was read: its cells in order, code as code and words as words, each with what it gave, pictures too.

import { useState } from "react";
import type { ImageRef } from "../../../generated";
import { languageNamed } from "../../../markdown/languages";
import { Prose } from "../../../markdown/Prose";
import { counted } from "../../words";
import { Press } from "../inRow";
import { Pictures } from "../Pictures";
import { humanWords } from "../toolWords";
import type { Cell } from "./cells";
import { FileLines } from "./FileLines";
import { usePicturePlaces } from "./picturePlaces";
import { Terminal } from "./Terminal";

/** So many cells are shown at first, and so many more each time. */
const FIRST = 8;
const STEP = 40;

type Props = { cells: readonly Cell[]; images: readonly ImageRef[]; id: string; language: string };

export function Notebook({ cells, images, id, language }: Props) {
  const { byCell, rest } = usePicturePlaces(images);
  const [most, setMost] = useState(FIRST);
  const shown = cells.length <= most + 2 ? cells : cells.slice(0, most);
  return (
    <ol className="notebook">
      {shown.map((cell, at) => (
        <li key={cell.id} className={cell.isWords ? "cell words" : "cell"}>
          <div className="cell-head">
            <span className="num">{at + 1}</span>
            <code className="cut">{cell.id}</code>
            <span className="grow" />
            <span>{cell.isWords ? "Markdown" : humanWords(cell.language ?? language)}</span>
          </div>
          {cell.isWords ? (
            <div className="cell-words">
              <Prose id={`${id}:${cell.id}`} text={cell.source} />
            </div>
          ) : (
            <FileLines
              text={cell.source}
              language={languageNamed(cell.language ?? language)}
              label={`Cell ${at + 1}, ${cell.id}`}
            />
          )}
          {cell.output === "" && !byCell.has(cell.id) ? null : (
            <div className="cell-output">
              <span className="label">Output</span>
              {cell.output === "" ? null : <Terminal output={{ text: cell.output }} id={`${id}:${cell.id}:output`} />}
              <Pictures images={byCell.get(cell.id) ?? []} />
            </div>
          )}
        </li>
      ))}
      {shown.length < cells.length ? (
        <li>
          <Press className="more" onClick={() => setMost(most + STEP)}>
            {counted(cells.length - shown.length, "more cell")}
          </Press>
        </li>
      ) : null}
      {rest.length === 0 ? null : (
        <li>
          <Pictures images={rest} />
        </li>
      )}
    </ol>
  );
}
