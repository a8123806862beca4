// A file that was read; a notebook cell by cell.

import { Suspense, useMemo } from "react";
import type { ImageRef, ToolView } from "../../../generated";
import { languageOfPath } from "../../../markdown/languages";
import { lazily } from "../../lazily";
import { ShowAll, useWhole } from "../../whole";
import { Pictures } from "../Pictures";
import type { BodyProps } from "../ToolBody";
import { notebookCells } from "./cells";
import { FileLines } from "./FileLines";

const Notebook = lazily(() => import("./Notebook").then((part) => part.Notebook));

const NO_PICTURES: readonly ImageRef[] = [];

/** Its pictures belong to its cells, and are drawn with them. */
export function isNotebook(view: ToolView): boolean {
  return view.view === "read" && view.path.endsWith(".ipynb");
}

export function ReadBody({ view, tool, id }: BodyProps<"read">) {
  const content = useWhole(view.content);
  const language = languageOfPath(view.path);
  const cells = useMemo(() => (isNotebook(view) ? notebookCells(content.text) : undefined), [view, content.text]);
  const images = (isNotebook(view) && tool?.images) || NO_PICTURES;
  if (content.text === "") return <Pictures images={images} />;
  if (cells !== undefined) {
    return (
      <Suspense>
        <Notebook cells={cells} images={images} id={id} language="python" />
        {content.more ? (
          <div className="well">
            <ShowAll whole={content} />
          </div>
        ) : null}
      </Suspense>
    );
  }
  return (
    <>
      <div className="well">
        <FileLines text={content.text} language={language} startLine={view.startLine} label={`Text of ${view.path}`} />
        <ShowAll whole={content} />
      </div>
      <Pictures images={images} />
    </>
  );
}
