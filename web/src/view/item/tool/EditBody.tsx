// A change of a file: the diff; of a new file its text.

import { languageOfPath } from "../../../markdown/languages";
import { DiffView } from "../../diff/DiffView";
import { ShowAll, useWhole } from "../../whole";
import type { BodyProps } from "../ToolBody";
import { FileLines } from "./FileLines";

export function EditBody({ view, tool }: BodyProps<"edit">) {
  const { diff } = view;
  const content = useWhole(view.content ?? { text: "" });
  const isFailed = tool?.status === "failed";
  const className = isFailed ? "well failed" : "well";
  if (diff.hunks.length > 0) {
    return (
      <div className={className}>
        <DiffView diff={diff} />
      </div>
    );
  }
  if (view.content === undefined) return null;
  return (
    <div className={className}>
      <FileLines text={content.text} language={languageOfPath(diff.path)} label={`New text of ${diff.path}`} isAdded />
      <ShowAll whole={content} />
    </div>
  );
}
