// The end of what a job wrote: asked of the server while it is looked at; where that cannot tell, what the call gave.

import { useEffect, useState } from "react";
import { ApiError } from "../../../api/http";
import { jobOutput, type JobOutput as Output } from "../../../api/inspect";
import type { Job } from "../../../generated";
import { useItem, useSession } from "../../../store/use";
import { Arc } from "../../Icon";
import { Terminal } from "../../item/tool/Terminal";
import { bytes } from "../../words";
import { isRunning } from "./jobs";

/** While it runs it is asked for again after so long. */
const AGAIN_MS = 2000;

/** What will be the same however often it is asked. */
const FINAL: readonly string[] = ["agent_refused", "not_found", "no_route", "not_running", "not_logged_in"];
const isFinal = (cause: unknown): boolean => cause instanceof ApiError && FINAL.includes(cause.code);

type State = { kind: "asking" } | { kind: "there"; output: Output } | { kind: "none"; words: string };

export function JobOutput({ job }: { job: Job }) {
  const state = useOutput(job);
  if (state.kind === "asking") {
    return (
      <p className="row hint">
        <Arc /> Asking for it
      </p>
    );
  }
  if (state.kind === "none") return <OfCall job={job} words={state.words} />;
  const { output, totalBytes, truncated } = state.output;
  return (
    <>
      {truncated ? <p className="hint">The last part of {totalBytes ? bytes(totalBytes) : "it"}</p> : null}
      <Terminal
        output={{ text: output }}
        id={`job:${job.id}`}
        isFailed={job.status === "failed"}
        emptyWords={isRunning(job) ? "Nothing yet" : "No output"}
      />
    </>
  );
}

function useOutput(job: Job): State {
  const { id } = useSession();
  const [state, setState] = useState<State>({ kind: "asking" });
  const runs = isRunning(job);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const abort = new AbortController();
    const ask = () => {
      jobOutput(id, job.id, abort.signal).then(
        (output) => {
          setState({ kind: "there", output });
          if (runs) timer = setTimeout(ask, AGAIN_MS);
        },
        (cause: unknown) => {
          if (abort.signal.aborted) return;
          // What was read stays; the next look may find more.
          if (runs && !isFinal(cause)) timer = setTimeout(ask, AGAIN_MS);
          setState((now) => (now.kind === "there" ? now : { kind: "none", words: wordsOf(cause) }));
        },
      );
    };
    ask();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [id, job.id, runs]);
  return state;
}

/** Who tells it is the agent, and only newer ones. */
function wordsOf(cause: unknown): string {
  if (cause instanceof ApiError) {
    switch (cause.code) {
      case "not_running":
      // It ended while it was asked.
      case "unreachable":
        return "The agent that could tell it has ended.";
      case "agent_refused":
      case "not_found":
      case "no_route":
        return "The agent does not tell it.";
      default:
        return cause.message;
    }
  }
  return "Its output cannot be read.";
}

function OfCall({ job, words }: { job: Job; words: string }) {
  const body = useItem(job.call ?? "")?.body;
  const view = body?.kind === "tool" ? body.view : undefined;
  if (view?.view === "command" && view.output.text !== "") {
    return <Terminal output={view.output} id={`job:${job.id}`} isFailed={job.status === "failed"} />;
  }
  return (
    <p className="hint">
      {words}
      {job.outputFile === undefined ? null : (
        <>
          {" "}
          It is written to <code>{job.outputFile}</code>.
        </>
      )}
    </p>
  );
}
