// A file that was read.

import { languageOfPath } from "../../../markdown/languages";
import { ShowAll, useWhole } from "../../whole";
import type { BodyProps } from "../ToolBody";
import { FileLines } from "./FileLines";

export function ReadBody({ view }: BodyProps<"read">) {
  const content = useWhole(view.content);
  const language = languageOfPath(view.path);
  if (content.text === "") return null;
  return (
    <div className="well">
      <FileLines text={content.text} language={language} startLine={view.startLine} label={`Text of ${view.path}`} />
      <ShowAll whole={content} />
    </div>
  );
}
