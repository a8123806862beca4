// A search of the web: the pages that were found, as links, and what came of it.

import { Prose } from "../../../markdown/Prose";
import { ShowAll, useWhole } from "../../whole";
import { Scrollable } from "../Scrollable";
import type { BodyProps } from "../ToolBody";
import { WebLink } from "./WebLink";

export function WebSearchBody({ view, id }: BodyProps<"webSearch">) {
  const output = useWhole(view.output);
  return (
    <div className="slip">
      {view.hits.length === 0 ? null : (
        <ul className="hits">
          {view.hits.map((hit, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a page may be found twice, and none moves.
            <li key={at}>
              <WebLink url={hit.url}>{hit.title || hit.url}</WebLink>
              <span className="faint cut">{hostOf(hit.url)}</span>
            </li>
          ))}
        </ul>
      )}
      {output.text === "" ? null : (
        <Scrollable className="slip-text" label="Text">
          <Prose id={`${id}:output`} text={output.text} />
          <ShowAll whole={output} />
        </Scrollable>
      )}
    </div>
  );
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}
