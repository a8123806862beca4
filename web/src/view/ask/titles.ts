// What a prompt asks, as a sentence: an ask in; words, and the thing that they are about, out. Pure.

import type { AskBody, Decision, PermissionAsk } from "../../generated";
import { humanName, humanWords } from "../item/toolWords";
import { clock } from "../words";

/** "Allow this edit of `lexer.rs`?": the words before, the thing in code type, the rest. */
export type Title = { before: string; code?: string; after: string };

/** A path as one says it inside of a folder. */
export function within(path: string, folder: string | undefined): string {
  const base = folder?.replace(/\/+$/, "");
  return base && path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
}

function about(before: string, code: string, after = "?"): Title {
  return code === "" ? { before: `${before.trim()}${after}`, after: "" } : { before, code, after };
}

function permission(ask: PermissionAsk, folder: string | undefined): Title {
  const { view } = ask;
  switch (view.view) {
    case "command":
      return { before: "Run this command?", after: "" };
    case "edit":
      return view.content === undefined
        ? about("Allow this edit of ", within(view.diff.path, folder))
        : about("Write ", within(view.diff.path, folder));
    case "notebook":
      return about("Change a cell of ", within(view.path, folder));
    case "read":
      return about("Read ", within(view.path, folder));
    case "search":
      return about("Search for ", view.pattern);
    case "fetch":
      return about("Fetch a page of ", host(view.url.text));
    case "webSearch":
      return { before: "Search the web?", after: "" };
    case "mcp":
      return { before: `Let ${humanName(view.server)} do “${humanWords(view.tool)}”?`, after: "" };
    case "skill":
      return about("Use the skill ", view.skill);
    case "todo":
    case "question":
    case "plan":
    case "other":
      return about("Use ", ask.tool);
    default:
      return view satisfies never;
  }
}

function host(url: string): string {
  try {
    return new URL(url).host || url;
  } catch {
    return url;
  }
}

export function askTitle(body: AskBody, folder: string | undefined): Title {
  switch (body.kind) {
    case "permission":
      return permission(body, folder);
    case "question":
      return body.questions.length === 1
        ? { before: "A question before the agent goes on", after: "" }
        : { before: `${body.questions.length} questions before the agent goes on`, after: "" };
    case "plan":
      return { before: "Is this plan good?", after: "" };
    case "elicitation": {
      const server = body.displayName ?? (body.server === undefined ? "A server" : humanName(body.server));
      return {
        before: body.title === undefined ? `${server} asks for something` : `${server}: ${body.title}`,
        after: "",
      };
    }
    case "dialog":
      return { before: "The agent wants to show a dialog", after: "" };
    default:
      return body satisfies never;
  }
}

/** Why a permission is asked for, line by line; with what the agent names at the end of it. */
export function reasons(ask: Pick<PermissionAsk, "reason" | "blockedPath" | "matchedRule" | "mcpSource">) {
  const { reason, blockedPath, matchedRule, mcpSource } = ask;
  const lines: { words: string; code: string | undefined }[] = [];
  if (reason !== undefined || blockedPath !== undefined) {
    const words = reason === undefined ? "Outside of where it may work" : `Asks because: ${reason}`;
    lines.push({ words, code: blockedPath });
  }
  if (matchedRule !== undefined) lines.push({ words: "A rule says to ask", code: matchedRule });
  if (mcpSource !== undefined) lines.push({ words: "Its server is configured in", code: mcpSource });
  return lines;
}

export function titleText(title: Title): string {
  return `${title.before}${title.code ?? ""}${title.after}`;
}

/** What became of a question that is not asked any more. `own` is this device's name. */
export function goneWords(kind: AskBody["kind"], decision: Decision | undefined, own: string | undefined): string {
  if (decision === undefined) return "This is not asked any more";
  const time = clock(decision.at);
  switch (decision.outcome) {
    case "allowed":
    case "denied": {
      const who =
        decision.by === undefined ? "elsewhere" : decision.by === own ? "in another window" : `on ${decision.by}`;
      return `${done(kind, decision.outcome === "allowed")} ${who}, ${time}`;
    }
    case "withdrawn":
      return `Withdrawn by the agent, ${time}`;
    case "interrupted":
      return `Interrupted before there was an answer, ${time}`;
    case "abandoned":
      return `The agent ended before there was an answer, ${time}`;
    default:
      return decision.outcome satisfies never;
  }
}

function done(kind: AskBody["kind"], isYes: boolean): string {
  switch (kind) {
    case "permission":
      return isYes ? "Allowed" : "Denied";
    case "plan":
      return isYes ? "Approved" : "Sent back";
    case "question":
      return isYes ? "Answered" : "Skipped";
    case "elicitation":
    case "dialog":
      return isYes ? "Answered" : "Declined";
    default:
      return kind satisfies never;
  }
}
