// The command line that will run, as the server would make it from what the form says now. What is always there is counted, and
// shown to who wants to see it.

import { useEffect, useState } from "react";
import { ApiError } from "../../api/http";
import { commandLine, type CommandLine as Line } from "../../api/search";
import type { Options } from "../../api/server";
import { counted, lastPart } from "../words";
import { ownArguments } from "./ownArguments";

/** Typing comes before asking. */
const ASK_MS = 250;

type Asked = { line: Line | undefined; fault: ApiError | undefined };

export function CommandLine({ asked }: { asked: Asked }) {
  const [isAll, setAll] = useState(false);
  const { line } = asked;
  if (line === undefined) return null;
  const { own, always } = ownArguments(line);
  const shown = isAll ? line.args : own;
  return (
    <div className="argv command-line">
      <code>
        <strong title={line.program}>{lastPart(line.program)}</strong>
        {shown.map((word, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the words of a line do not move.
          <span key={at} className={word.startsWith("-") ? "flag" : undefined}>
            {" "}
            {quoted(word)}
          </span>
        ))}
      </code>{" "}
      {always === 0 ? null : (
        <button type="button" className="link-button" onClick={() => setAll(!isAll)}>
          {isAll ? "Show only what you chose" : `and ${counted(always, "flag")} always set`}
        </button>
      )}
    </div>
  );
}

/** A word as a shell would need it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The line for these options, and what the server finds wrong with them. Of a form that is not right, the line of before. */
export function useCommandLine(options: Options | undefined): Asked {
  const [asked, setAsked] = useState<Asked>({ line: undefined, fault: undefined });
  const body = options === undefined ? undefined : JSON.stringify(options);
  useEffect(() => {
    if (body === undefined) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      commandLine(JSON.parse(body) as Options, abort.signal).then(
        (line) => setAsked({ line, fault: undefined }),
        (cause: unknown) => {
          if (abort.signal.aborted) return;
          const isFault = cause instanceof ApiError && cause.status >= 400 && cause.status < 500;
          setAsked((before) => ({ line: before.line, fault: isFault ? cause : undefined }));
        },
      );
    }, ASK_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [body]);
  return asked;
}
