// A command: what it is for, the whole of it where the line has no room, and what it wrote.

import { useWhole } from "../../whole";
import type { BodyProps } from "../ToolBody";
import { Terminal } from "./Terminal";

/** What the line above can show. */
const ONE_LINE = 60;

export function CommandBody({ view, tool, id }: BodyProps<"command">) {
  const command = useWhole(view.command);
  const isAsked = tool === undefined;
  const isLong = command.text.includes("\n") || command.text.length > ONE_LINE;
  const hasEnded = tool?.status === "completed" || tool?.status === "failed";
  const isFailed = tool?.status === "failed" || (view.exitCode ?? 0) !== 0;
  const isSilent = view.output.text.trim() === "";
  // A failure that has its own words below says nothing by being silent here.
  const emptyWords = hasEnded && isSilent && tool.error === undefined ? "No output" : undefined;
  const showsCommand = isAsked || isLong;
  return (
    <>
      {view.description === undefined || isAsked ? null : <p className="body-note">{view.description}</p>}
      {showsCommand || !isSilent || emptyWords !== undefined ? (
        <Terminal
          output={view.output}
          id={id}
          isFailed={isFailed}
          command={showsCommand ? command.text : undefined}
          emptyWords={emptyWords}
        />
      ) : null}
    </>
  );
}
