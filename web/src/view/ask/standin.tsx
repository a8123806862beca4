// Plain stand-ins for what the conversation draws better: to be replaced by `../item/ToolBody` and its markdown when those are
// there. Nothing else in this folder knows of it.

import type { Diff, ToolView } from "../../generated";

/** A tool's body: of an edit the change, of a notebook the cell. */
export function ToolBody({ view }: { view: ToolView }) {
  if (view.view === "edit") {
    return view.content === undefined ? <DiffView diff={view.diff} /> : <NewFile text={view.content.text} />;
  }
  return view.view === "notebook" ? <NewFile text={view.source.text} /> : null;
}

function NewFile({ text }: { text: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <div className="diff one-gutter">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
        <div className="dl add" key={at}>
          <span className="n">{at + 1}</span>
          <span className="s">+</span>
          <span className="c">{line}</span>
        </div>
      ))}
    </div>
  );
}

const KINDS = { "+": { name: "add", words: "added" }, "-": { name: "del", words: "removed" } } as const;

export function DiffView({ diff }: { diff: Diff }) {
  return (
    <div className="diff one-gutter">
      {diff.hunks.flatMap((hunk, part) =>
        hunk.lines.map((line, at) => {
          const sign = line.slice(0, 1);
          const kind = sign === "+" || sign === "-" ? KINDS[sign] : undefined;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move.
            <div className={kind ? `dl ${kind.name}` : "dl"} key={`${part}:${at}`}>
              <span className="n" />
              <span className="s">
                <span aria-hidden="true">{sign === "-" ? "−" : sign}</span>
                {kind ? <span className="vh">{kind.words}</span> : null}
              </span>
              <span className="c">{line.slice(1)}</span>
            </div>
          );
        }),
      )}
    </div>
  );
}

export function MarkdownText({ text }: { text: string }) {
  return <div className="prose plain-text">{text}</div>;
}
