// What runs beside the conversation: jobs and items in, those that are no subagent of the tree out. Pure.

import type { Item, Job } from "../../../generated";

/** Subagents stand in their tree as long as their call is held; everything else is listed, what runs first. */
export function listedJobs(jobs: readonly Job[], items: ReadonlySet<string>): Job[] {
  const others = jobs.filter((job) => job.call === undefined || !items.has(job.call));
  const running = others.filter(isRunning);
  return [...running, ...others.filter((job) => !isRunning(job)).reverse()];
}

export const isRunning = (job: Job): boolean => job.status === "running";

/** The calls that stand in the tree of subagents. */
export function agentCalls(items: readonly Item[]): ReadonlySet<string> {
  return new Set(items.flatMap((item) => (item.body.kind === "agent" ? [item.id] : [])));
}

export function jobState(job: Job): string {
  switch (job.status) {
    case "running":
      return "Running";
    case "completed":
      return "Done";
    case "failed":
      return "Failed";
    case "stopped":
      return "Stopped";
    case "ended":
      return "Ended with the agent";
    default:
      return job.status;
  }
}

/** The command that it runs, where the call that began it is held and says more than the description. */
export function commandOf(job: Job, call: Item | undefined): string | undefined {
  const view = call?.body.kind === "tool" ? call.body.view : undefined;
  const command = view?.view === "command" ? view.command.text : undefined;
  return command === job.description ? undefined : command;
}
