// How a call of a tool is put in words: a tool in, its verb, object, state and figures out. Pure.

import type { Decision, Everywhere, TodoTask, ToolItem, ToolStatus, ToolView } from "../../generated";
import type { IconName } from "../Icon";
import { clock, counted } from "../words";

/** How often a change is made that one sees once. */
export const EVERYWHERE = {
  all: "every occurrence",
  some: "some at every occurrence",
} as const satisfies Record<Everywhere, string>;

/** What a step is about. Paths are cut at the start, everything else at the end. */
export type StepObject = { text: string; isCode: boolean; isPath: boolean };

const VERBS: Record<string, string> = {
  WebFetch: "Fetch",
  WebSearch: "Web search",
  NotebookEdit: "Edit cell",
  AskUserQuestion: "Question",
  ExitPlanMode: "Plan",
  TodoWrite: "Tasks",
  TaskCreate: "New task",
  TaskUpdate: "Task",
  TaskList: "Tasks",
  TaskGet: "Task",
  BashOutput: "Output",
  TaskOutput: "Output",
  KillShell: "Stop command",
  TaskStop: "Stop task",
  EnterPlanMode: "Plan mode",
  MultiEdit: "Edit",
};

export function verbOf(tool: ToolItem): string {
  if (tool.view.view === "mcp") return `${humanName(tool.view.server)} › ${humanWords(tool.view.tool)}`;
  return Object.hasOwn(VERBS, tool.name) ? (VERBS[tool.name] ?? tool.name) : tool.name;
}

/** Names that people write in a way of their own. */
const OWN_WAY: Record<string, string> = {
  github: "GitHub",
  gitlab: "GitLab",
  postgres: "PostgreSQL",
  postgresql: "PostgreSQL",
  sqlite: "SQLite",
  mysql: "MySQL",
  aws: "AWS",
  ide: "IDE",
  api: "API",
  youtube: "YouTube",
  chrome: "Chrome",
};

/** `claude_ai_Google_Drive` is `Claude ai Google Drive`, `github` is `GitHub`. */
export function humanName(name: string): string {
  const own = OWN_WAY[name.toLowerCase()];
  return own ?? humanWords(name);
}

/** Names of programs as people speak: `search_repositories` and `searchRepositories` are `Search repositories`. */
export function humanWords(name: string): string {
  const words = name
    .replace(/[_\-.:/]+/g, " ")
    .replace(/([a-z\d])([A-Z])(?=[a-z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .trim();
  return words === "" ? name : words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** A path as seen from the folder that the agent works in. */
export function shortPath(path: string, folder: string | undefined): string {
  if (!folder || folder === "/") return path;
  if (path === folder) return ".";
  const inside = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(inside) ? path.slice(inside.length) : path;
}

const code = (text: string): StepObject => ({ text: firstLine(text), isCode: true, isPath: false });
const words = (text: string): StepObject => ({ text: firstLine(text), isCode: false, isPath: false });

function firstLine(text: string): string {
  return /[^\n]*/.exec(text.trimStart())?.[0] ?? "";
}

export function objectOf(tool: ToolItem, folder: string | undefined): StepObject {
  const { view } = tool;
  const path = (text: string): StepObject => ({ text: shortPath(text, folder), isCode: true, isPath: true });
  switch (view.view) {
    case "command":
      return code(view.command.text || tool.title);
    case "read":
      return path(view.path || tool.title);
    case "edit":
      return path(view.diff.path || tool.title);
    case "notebook":
      return path(view.path || tool.title);
    case "search":
      return code(view.pattern || tool.title);
    case "fetch":
      return code(view.url.text || tool.title);
    case "webSearch":
      return words(view.query || tool.title);
    case "todo":
      return words(view.todos.find((todo) => todo.status === "in_progress")?.subject || tool.title);
    case "question":
      return words(view.questions[0]?.question ?? tool.title);
    case "plan":
      return words(tool.title);
    case "skill":
      return code(`${view.skill} ${view.args ?? ""}`.trim() || tool.title);
    case "mcp":
      // Server and tool are the verb already.
      return words("");
    case "other":
      return words(tool.title === tool.name ? "" : tool.title);
    default:
      return view satisfies never;
  }
}

/** The figures at the right: what was found, read, changed. */
export function figuresOf(view: ToolView): string | undefined {
  switch (view.view) {
    case "read":
      return linesRead(view);
    case "search":
      return view.count === undefined
        ? undefined
        : `${counted(view.count, "match", "matches")}${view.truncated ? " or more" : ""}`;
    case "webSearch":
      return view.hits.length === 0 ? undefined : counted(view.hits.length, "page");
    case "todo": {
      const done = view.todos.filter((todo) => todo.status === "completed").length;
      return view.todos.length < 2 ? oneTask(view.todos[0]) : `${done} of ${view.todos.length} done`;
    }
    case "question": {
      const answers = Object.values(view.answers).flat();
      return answers.length === 0 ? undefined : answers.join(", ");
    }
    case "fetch":
      return view.code === undefined || view.code === 200 ? undefined : `status ${view.code}`;
    case "notebook":
      return { insert: "New cell", delete: "Cell removed" }[view.editMode ?? ""];
    case "command":
    case "edit":
    case "plan":
    case "skill":
    case "mcp":
    case "other":
      return undefined;
    default:
      return view satisfies never;
  }
}

function oneTask(task: TodoTask | undefined): string | undefined {
  switch (task?.status) {
    case "completed":
      return "Done";
    case "in_progress":
      return "Begun";
    default:
      return task && task.blockedBy.length > 0 ? `Waits for ${task.blockedBy.join(", ")}` : undefined;
  }
}

function linesRead(view: Extract<ToolView, { view: "read" }>): string | undefined {
  if (view.lines === undefined) return undefined;
  const start = view.startLine ?? 1;
  if (start === 1 && (view.totalLines === undefined || view.lines >= view.totalLines))
    return counted(view.lines, "line");
  return `lines ${start}–${start + Math.max(view.lines - 1, 0)}`;
}

const ICONS: Record<ToolItem["toolKind"], IconName> = {
  execute: "terminal",
  read: "read",
  edit: "edit",
  delete: "x",
  move: "right",
  search: "search",
  fetch: "globe",
  browse: "globe",
  think: "think",
  ask: "ask",
  memory: "file",
  mcp: "link",
  other: "play",
};

const VIEW_ICONS: Partial<Record<ToolView["view"], IconName>> = {
  command: "terminal",
  todo: "sessions",
  question: "ask",
  plan: "read",
  webSearch: "globe",
};

export type Tone = "" | "is-running" | "is-danger" | "is-needs";

/** The shape and the colour of a step. Each state has its own shape. */
export function glyphOf(tool: ToolItem): { icon: IconName | "arc"; tone: Tone } {
  const own = VIEW_ICONS[tool.view.view] ?? ICONS[tool.toolKind] ?? "play";
  // A question is waiting as well, but for an answer, not for a permission.
  if (tool.status === "waiting" && tool.view.view === "question") return { icon: "ask", tone: "is-needs" };
  return glyphFor(tool.status, own, tool.decision);
}

export function glyphFor(status: ToolStatus, own: IconName, decision: Decision | undefined) {
  switch (status) {
    case "writing":
    case "running":
    case "background":
      return { icon: "arc" as const, tone: "is-running" as Tone };
    case "waiting":
      return { icon: "shield" as IconName, tone: "is-needs" as Tone };
    case "completed":
      return { icon: own, tone: "" as Tone };
    case "failed":
      return { icon: own, tone: "is-danger" as Tone };
    case "denied":
      return { icon: "bad" as IconName, tone: "" as Tone };
    case "cancelled":
      return { icon: (decision?.outcome === "withdrawn" ? "clock" : "stop") as IconName, tone: "" as Tone };
    case "ended":
      return { icon: "clock" as IconName, tone: "" as Tone };
    default:
      return status satisfies never;
  }
}

/** The state in words, where it is not what one expects. */
export function stateWords(
  status: ToolStatus,
  decision: Decision | undefined,
  me: string | undefined,
): string | undefined {
  switch (status) {
    case "writing":
      return "Preparing";
    case "waiting":
      return "Waiting for you";
    case "background":
      return "In the background";
    case "denied":
      return decision ? `Denied ${byWhom(decision.by, me)}, ${clock(decision.at)}` : "Denied";
    case "cancelled":
      if (decision?.outcome === "withdrawn") return "Withdrawn by the agent";
      if (decision?.outcome === "abandoned") return "Lost: the agent ended";
      return "Interrupted";
    case "ended":
      return "Ended with the agent";
    case "failed":
      return "Failed";
    case "running":
    case "completed":
      return undefined;
    default:
      return status satisfies never;
  }
}

/** The agent's own words for who decided. They are matched whole: a device may be called `ci-webhook`. */
const DECIDERS = new Map([
  ["user_temporary", "by you"],
  ["user_permanent", "by you"],
  ["user_reject", "by you"],
  ["user-rejected", "by you"],
  ["config", "by a rule"],
  ["rule", "by a rule"],
  ["permission-rule", "by a rule"],
  ["subcommandResults", "by a rule"],
  ["mode", "by the permission mode"],
  ["hook", "by a hook"],
  ["classifier", "by the automatic check"],
  ["automode-blocked", "by the automatic check"],
  ["automode-unavailable", "by the automatic check"],
  ["automode-parsing-error", "by the automatic check"],
  ["safetyCheck", "by a safety check"],
  ["sandboxOverride", "by the sandbox"],
  ["workingDir", "since it is outside of the working directories"],
  ["asyncAgent", "since nobody can be asked in the background"],
  ["permissionPromptTool", "by the permission tool"],
  ["other", "by the agent's program"],
]);

/** Who decided, in words. The agent has its own names for rules and hooks; people and devices have theirs. */
export function byWhom(by: string | undefined, me: string | undefined): string {
  if (by === undefined || by === me) return "by you";
  return DECIDERS.get(by) ?? `by ${by}`;
}

/** What was decided, in a line. */
export function decisionWords(decision: Decision, me: string | undefined): string {
  const at = clock(decision.at);
  switch (decision.outcome) {
    case "allowed": {
      const kept = decision.remembered.length === 0 ? "" : ` · remembered: ${decision.remembered.join(", ")}`;
      return `Allowed ${byWhom(decision.by, me)}, ${at}${kept}`;
    }
    case "denied":
      return `Denied ${byWhom(decision.by, me)}, ${at}`;
    case "withdrawn":
      return `Withdrawn by the agent, ${at}`;
    case "interrupted":
      return `Interrupted, ${at}`;
    case "abandoned":
      return "Nobody was left to answer";
    default:
      return decision.outcome satisfies never;
  }
}

/** How long it took, without the time that it waited for leave. */
export function tookMs(tool: { endedAt?: number; decision?: Decision }, at: number): number | undefined {
  if (tool.endedAt === undefined) return undefined;
  const from = tool.decision?.outcome === "allowed" ? Math.max(at, tool.decision.at) : at;
  return Math.max(0, tool.endedAt - from);
}
