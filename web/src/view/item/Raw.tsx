// The record that an item was made from, as JSON: of any item, in a dialog.

import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { ApiError, getText, inSession, query } from "../../api/http";
import type { Item } from "../../generated";
import { Code } from "../../markdown/Code";
import { useHighlight } from "../../markdown/client";
import { useSession } from "../../store/use";
import { Icon } from "../Icon";
import { exactly } from "../words";
import { CopyButton } from "./CopyButton";
import { Press, RowContext } from "./inRow";

const RawContext = createContext<(item: Item) => void>(() => {});

/** Shows the record of an item. */
export const useRaw = () => useContext(RawContext);

export function RawButton({ item }: { item: Item }) {
  const show = useRaw();
  return (
    <Press className="ibtn sm" aria-label="Show raw record" title="Show raw record" onClick={() => show(item)}>
      <Icon name="raw" />
    </Press>
  );
}

export function RawProvider({ children }: { children: ReactNode }) {
  const [item, setItem] = useState<Item | undefined>();
  const show = useCallback((shown: Item) => setItem(shown), []);
  return (
    <RawContext value={show}>
      {children}
      <RowContext value={true}>{item ? <RawDialog item={item} onClose={() => setItem(undefined)} /> : null}</RowContext>
    </RawContext>
  );
}

/** Longer records are shown without colours. */
const COLOURED = 100_000;

function RawDialog({ item, onClose }: { item: Item; onClose: () => void }) {
  const session = useSession();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState<string | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  useEffect(() => {
    dialog.current?.showModal();
    const abort = new AbortController();
    const path = inSession(session.id, "records") + query({ after: item.seq - 1, limit: 1 });
    getText(path, abort.signal)
      .then((line) => setText(pretty(line)))
      .catch((error: unknown) => {
        if (!abort.signal.aborted)
          setProblem(error instanceof ApiError ? error.message : "The record could not be read.");
      });
    return () => abort.abort();
  }, [session, item]);
  const lines = useHighlight(text !== undefined && text.length <= COLOURED ? text : "", "json");
  return (
    <dialog className="raw-dialog" ref={dialog} onClose={onClose} aria-label={`Record ${item.seq}`}>
      <div className="raw-head">
        <h2>Record {item.seq}</h2>
        <span className="muted">{exactly(item.at)}</span>
        <span className="grow" />
        {text === undefined ? null : <CopyButton text={text} what="record" />}
        <button type="button" className="ibtn" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="x" />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable. */}
      <pre className="raw-text" tabIndex={0}>
        {problem === undefined ? null : <span className="is-danger">{problem}</span>}
        {text === undefined ? null : <Code text={text} lines={lines} />}
      </pre>
    </dialog>
  );
}

/** The record, with the line of the agent inside it unpacked. */
function pretty(line: string): string {
  try {
    const record = JSON.parse(line) as Record<string, unknown>;
    for (const [name, value] of Object.entries(record)) {
      if (typeof value === "string" && /^\s*[[{]/.test(value)) record[name] = unpacked(value);
    }
    return JSON.stringify(record, null, 2);
  } catch {
    return line;
  }
}

function unpacked(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
