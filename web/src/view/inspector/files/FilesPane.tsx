// The files that the agent has changed in this session, each with all its changes in order.

import { useEffect } from "react";
import { useItems, useKnown, usePart, useSession } from "../../../store/use";
import { openUp } from "../../item/open";
import { ToolBody } from "../../item/ToolBody";
import { shortPath, verbOf } from "../../item/toolWords";
import { clock, counted, exactly } from "../../words";
import { EarlierItems } from "../EarlierItems";
import { Fold } from "../Fold";
import { ShowInConversation } from "../ShowInConversation";
import { type Change, type ChangedFile, changedFiles } from "./changes";

export function FilesPane({ at }: { at: string | undefined }) {
  const session = useSession();
  const files = useItems(changedFiles);
  const isKnown = useKnown();
  useEffect(() => {
    if (at !== undefined) openUp(session, `inspector:file:${at}`);
  }, [session, at]);
  if (!isKnown) return null;
  if (files.length === 0) {
    return (
      <>
        <p className="pane-empty">No changes in this session.</p>
        <EarlierItems words="Earlier turns are not loaded; they may have changed files." />
      </>
    );
  }
  const sum = (side: "added" | "removed") => files.reduce((all, file) => all + file[side], 0);
  return (
    <section className="folds" aria-label="Changed files">
      <div className="pane-head">
        <h2>{counted(files.length, "file")}</h2>
        <Figures added={sum("added")} removed={sum("removed")} />
      </div>
      {files.map((file) => (
        <File key={file.path} file={file} />
      ))}
      <EarlierItems words="Changes of earlier turns are not loaded yet." />
      <p className="hint pane-source">
        Made with the agent’s own tools. What commands changed is not among them: look at <code>git diff</code> for
        that.
      </p>
    </section>
  );
}

function File({ file }: { file: ChangedFile }) {
  const folder = usePart("status").cwd;
  const path = shortPath(file.path, folder);
  return (
    <Fold
      id={`file:${file.path}`}
      className="file-fold"
      title={
        <span className="cut-start mono" title={file.path}>
          <bdi>{path}</bdi>
        </span>
      }
      meta={
        <>
          {file.created ? <span className="tag">new</span> : null} <Figures added={file.added} removed={file.removed} />
        </>
      }
    >
      {file.changes.map((change) => (
        <OneChange key={change.item.id} change={change} path={path} isAlone={file.changes.length === 1} />
      ))}
    </Fold>
  );
}

function OneChange({ change, path, isAlone }: { change: Change; path: string; isAlone: boolean }) {
  const { item, tool } = change;
  return (
    <div className="file-change">
      <div className="row hint">
        <time title={exactly(item.at)}>{clock(item.at)}</time>
        <span>{verbOf(tool)}</span>
        {item.parent === undefined ? null : <span>by a subagent</span>}
        {isAlone ? null : <Figures added={change.added} removed={change.removed} />}
        <span className="grow" />
        <ShowInConversation item={item.id} what={`${verbOf(tool)} ${path}, ${clock(item.at)}`} />
      </div>
      <ToolBody view={tool.view} tool={tool} id={item.id} />
    </div>
  );
}

function Figures({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="num">
      <span className="added">+{added}</span> <span className="removed">−{removed}</span>
    </span>
  );
}
