// The things to do, as they are shown: the list of the state in; what each waits for, groups and the parts of the bar out. Pure.

import type { Item, TodoTask } from "../../../generated";

export type TaskState = "active" | "blocked" | "open" | "done";

export type SeenTask = {
  task: TodoTask;
  state: TaskState;
  /** The tasks that it waits for and that are not done. */
  waitsFor: readonly string[];
  /** The tasks that are not done and wait for it. */
  holdsUp: readonly string[];
};

export function seenTasks(tasks: readonly TodoTask[]): SeenTask[] {
  const open = new Set(tasks.filter((task) => task.status !== "completed").map((task) => task.id));
  return tasks.map((task) => {
    const waitsFor = task.blockedBy.filter((id) => open.has(id));
    // Either side may be the one that says so.
    const others = tasks.filter((other) => other.blockedBy.includes(task.id)).map((other) => other.id);
    const holdsUp = [...new Set([...task.blocks, ...others])].filter((id) => open.has(id));
    return { task, state: stateOf(task, waitsFor), waitsFor, holdsUp };
  });
}

function stateOf(task: TodoTask, waitsFor: readonly string[]): TaskState {
  switch (task.status) {
    case "completed":
      return "done";
    case "in_progress":
      return "active";
    default:
      return waitsFor.length > 0 ? "blocked" : "open";
  }
}

/** Since when each task is being done, as far as the calls that said so are held. */
export function begunAt(items: readonly Item[]): ReadonlyMap<string, number> {
  const begun = new Map<string, number>();
  for (const { at, body } of items) {
    if (body.kind !== "tool" || body.view.view !== "todo" || body.status !== "completed") continue;
    for (const task of body.view.todos) {
      if (task.status !== "in_progress") begun.delete(taskKey(task));
      else if (!begun.has(taskKey(task))) begun.set(taskKey(task), at);
    }
  }
  return begun;
}

/** When the list was last changed, as far as the call that did it is held. */
export function updatedAt(items: readonly Item[]): number | undefined {
  const isChange = ({ body }: Item) => body.kind === "tool" && body.view.view === "todo" && body.status === "completed";
  return items.findLast(isChange)?.at;
}

/** A list without numbers may be written anew, with another task in the same place. */
export const taskKey = ({ id, subject }: TodoTask): string => `${id} ${subject}`;

/** While it is done, what is being done; else what is to be done. */
export function taskWords({ task, state }: SeenTask): string {
  return state === "active" ? (task.activeForm ?? task.subject) : task.subject;
}

/** What stands below it. */
export function taskNotes({ task, state, waitsFor, holdsUp }: SeenTask): string[] {
  const isKnown = ["pending", "in_progress", "completed"].includes(task.status);
  return [
    isKnown ? "" : task.status,
    waitsFor.length > 0 && state !== "done" ? `Waits for ${listed(waitsFor)}` : "",
    task.owner ? `by ${task.owner}` : "",
    holdsUp.length > 0 && state !== "done" ? `blocks ${listed(holdsUp)}` : "",
  ].filter((note) => note !== "");
}

/** `4`, `4 and 5`, `4, 5 and 6` */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** In the order in which they matter. */
const ORDER: readonly TaskState[] = ["active", "open", "blocked", "done"];

export const STATE_NAMES: Record<TaskState, string> = {
  active: "In progress",
  open: "To do",
  blocked: "Blocked",
  done: "Done",
};

export function byState(tasks: readonly SeenTask[]): { state: TaskState; tasks: SeenTask[] }[] {
  return ORDER.map((state) => ({ state, tasks: tasks.filter((task) => task.state === state) })).filter(
    (group) => group.tasks.length > 0,
  );
}

export type Segment = { kind: "d" | "r" | "p"; x: number; width: number };

/** More than these would be too thin to be told apart. */
const MOST_SEGMENTS = 24;
const GAP = 0.8;

/** The bar, 100 wide: done first, then what is being done, then the rest. */
export function segments(tasks: readonly SeenTask[]): Segment[] {
  const kinds = (["d", "r", "p"] as const).map((kind) => ({
    kind,
    count: tasks.filter(({ state }) => (state === "done" ? "d" : state === "active" ? "r" : "p") === kind).length,
  }));
  const all = tasks.length;
  const parts =
    all <= MOST_SEGMENTS
      ? kinds.flatMap(({ kind, count }) => Array.from({ length: count }, () => ({ kind, share: 1 / all })))
      : kinds.filter(({ count }) => count > 0).map(({ kind, count }) => ({ kind, share: count / all }));
  // The gaps stand between them: the last ends where the bar does.
  const whole = 100 + GAP;
  let x = 0;
  return parts.map(({ kind, share }) => {
    const segment = { kind, x, width: Math.max(0.2, share * whole - GAP) };
    x += share * whole;
    return segment;
  });
}
