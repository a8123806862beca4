// A file that was read.

import { languageOfPath } from "../../../markdown/languages";
import type { BodyProps } from "../ToolBody";
import { ShowAll, useWhole } from "../whole";
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
