// How long a yes holds: the agent's suggestions in; choices in words, with their keys and what the button says, out. Pure.

import type { Effect, Reach } from "../../api/inspect";
import type { PermissionAsk, Suggestion } from "../../generated";
import type { Decision, Remember } from "./decision";

/** A piece of a sentence; a rule, a path or a mode is code. */
export type Piece = string | { code: string };

export type Choice = {
  /** The number of the suggestion; none means: this time only. */
  suggestion: number | undefined;
  /** What is allowed. */
  what: Piece[];
  /** For whom and how long. */
  scope: Piece[];
  /** What the button says when this is chosen. */
  button: string;
  /** The key that chooses it and says yes. */
  key?: "A" | "S";
  /** The rules, if they can be edited, and what is done about them. */
  rules?: string[];
  verb?: string;
  destination?: string;
  /** Does it take every guard away? */
  isDangerous: boolean;
};

/** Where a rule can be kept, in the order of how far it reaches. */
export const DESTINATIONS = [
  { value: "session", words: "This session" },
  { value: "localSettings", words: "This project, only me" },
  { value: "projectSettings", words: "This project, everyone" },
  { value: "userSettings", words: "All my projects" },
] as const;

function place(destination: string | undefined): { where: string; scope: string } {
  switch (destination) {
    case "session":
      return { where: " in this session", scope: "until it ends" };
    case "localSettings":
      return { where: " in this project", scope: "only me, not committed" };
    case "projectSettings":
      return { where: " in this project", scope: "for everyone who works on it" };
    case "userSettings":
      return { where: " everywhere", scope: "in all my projects" };
    case "cliArg":
      return { where: " for this run", scope: "until the agent ends" };
    case undefined:
      return { where: "", scope: "" };
    default:
      return { where: "", scope: `kept in ${destination}` };
  }
}

function listed(codes: readonly string[]): Piece[] {
  return codes.flatMap((code, at): Piece[] => (at === 0 ? [{ code }] : [", ", { code }]));
}

function verb(behavior: string | undefined): string {
  if (behavior === "deny") return "Always deny ";
  if (behavior === "ask") return "Always ask for ";
  return "Allow ";
}

/** Would its rules let more through? */
export const isAllowing = (choice: Choice): boolean => choice.verb === verb("allow");

function mode(name: string | undefined): { words: string; isDangerous: boolean } {
  switch (name) {
    case "acceptEdits":
      return { words: "Accept every edit", isDangerous: false };
    case "bypassPermissions":
      return { words: "Allow everything without asking", isDangerous: true };
    case "plan":
      return { words: "Plan first", isDangerous: false };
    case "default":
      return { words: "Ask first", isDangerous: false };
    default:
      return { words: `Switch to mode ${name ?? ""}`.trim(), isDangerous: false };
  }
}

function scopeOf(scope: string): Piece[] {
  return scope === "" ? [] : [scope];
}

function ruleWords(
  verb: string,
  rules: readonly string[],
  destination: string | undefined,
): Pick<Choice, "what" | "scope" | "button"> {
  const { where, scope } = place(destination);
  return {
    what: [verb, ...listed(rules), where],
    scope: scopeOf(scope),
    button: destination === "session" ? "Allow for this session" : "Allow and save rule",
  };
}

/** The choice as it reads after its rule was edited. */
export function reworded(choice: Choice, edited: Edited | undefined): Choice {
  if (!edited || choice.verb === undefined) return choice;
  return { ...choice, ...ruleWords(choice.verb, ruleLines(edited.rules), edited.destination) };
}

function suggested(suggestion: Suggestion, number: number): Choice {
  const { where, scope } = place(suggestion.destination);
  const common = {
    suggestion: number,
    isDangerous: false,
    ...(suggestion.destination === undefined ? {} : { destination: suggestion.destination }),
  };
  switch (suggestion.type) {
    case "addRules":
      return {
        ...common,
        ...ruleWords(verb(suggestion.behavior), suggestion.rules, suggestion.destination),
        rules: suggestion.rules,
        verb: verb(suggestion.behavior),
      };
    case "addDirectories":
      return {
        ...common,
        what: ["Allow work in ", ...listed(suggestion.directories), where],
        scope: scopeOf(scope),
        button: "Allow and add folder",
      };
    case "setMode": {
      const { words, isDangerous } = mode(suggestion.mode);
      const named: Piece[] = suggestion.mode === undefined ? [] : ["mode ", { code: suggestion.mode }];
      return {
        ...common,
        what: [words, where],
        scope: scope === "" ? named : [`${scope}, `, ...named],
        button: "Allow and switch mode",
        isDangerous,
      };
    }
    default:
      return { ...common, what: [suggestion.label], scope: scopeOf(scope), button: "Allow and remember" };
  }
}

/** What "this" is, in "this edit only". */
function thing(view: PermissionAsk["view"]["view"]): string {
  switch (view) {
    case "edit":
    case "notebook":
      return "this edit only";
    case "command":
      return "this command only";
    case "fetch":
      return "this address only";
    default:
      return "this call only";
  }
}

/** The choices of a permission prompt; the first one is "once". */
export function choices(ask: Pick<PermissionAsk, "view" | "suggestions" | "suppressAlwaysAllow">): Choice[] {
  const once: Choice = {
    suggestion: undefined,
    what: ["Once"],
    scope: [thing(ask.view.view)],
    button: "Allow once",
    key: "A",
    isDangerous: false,
  };
  const offered = ask.suppressAlwaysAllow ? [] : ask.suggestions.map(suggested);
  return [once, ...withSessionKey(offered)];
}

/** The choices of a plan's approval: as it is, or with what the agent suggests. */
export function planChoices(suggestions: readonly Suggestion[]): Choice[] {
  const plain: Choice = {
    suggestion: undefined,
    what: ["Approve"],
    scope: ["permissions as before the plan"],
    button: "Approve",
    key: "A",
    isDangerous: false,
  };
  const offered = withSessionKey(suggestions.map(suggested));
  // What is remembered with a plan is taken as it is: there is nothing to edit it for.
  return [plain, ...offered.map(({ rules: _rules, ...choice }) => ({ ...choice, button: "Approve" }))];
}

/** S takes the first choice that holds for the session. */
function withSessionKey(offered: Choice[]): Choice[] {
  const first = offered.findIndex((choice) => choice.destination === "session" && !choice.isDangerous);
  return offered.map((choice, at) => (at === first ? { ...choice, key: "S" as const } : choice));
}

/** What a person made of a rule. */
export type Edited = { rules: string; destination: string };

/** Rules as people write them, one a line; they may have commas inside of their brackets. */
export function ruleLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** What is wrong with a rule, in words; nothing if it can be sent. */
export function ruleFault(text: string): string | undefined {
  const rules = ruleLines(text);
  if (rules.length === 0) return "Write a rule, for example Bash(git log *)";
  const bad = rules.find((rule) => !/^[^\s()]+(\(.+\))?$/.test(rule));
  return bad === undefined
    ? undefined
    : `“${bad}” is no rule. A rule names a tool and, in brackets, what it may do: Bash(npm test *)`;
}

/** For whom a rule would hold that is kept there. */
export function reachOf(destination: string): Reach {
  if (destination === "session" || destination === "cliArg") return "session";
  return destination === "userSettings" ? "everyone" : "project";
}

/** What rules would have covered, in words; those that somebody refused apart, since they would have run. */
export function effectWords({ lookedAt, calls }: Effect): { words: string; denied?: string } {
  if (lookedAt === 0) return { words: "There are no calls yet to hold it beside." };
  const of = lookedAt === 1 ? "the last call" : `the last ${lookedAt} calls`;
  if (calls.length === 0) return { words: lookedAt === 1 ? `It does not cover ${of}.` : `It covers none of ${of}.` };
  const denied = calls.filter((call) => call.denied).length;
  const words = `It covers ${calls.length} of ${of}`;
  if (denied === 0) return { words: `${words}, none of them denied.` };
  return { words: `${words}, of which `, denied: denied === 1 ? "1 was denied." : `${denied} were denied.` };
}

/** The yes that a choice stands for. */
export function allow(
  choice: Choice,
  edited: Edited | undefined,
  input: Record<string, unknown> | undefined,
): Extract<Decision, { kind: "allow" }> {
  // The server remembers nothing together with another input: what was suggested was about the old one.
  if (input) return { kind: "allow", input };
  if (choice.suggestion === undefined) return { kind: "allow" };
  const remember: Remember = { suggestion: choice.suggestion };
  if (edited && choice.rules) {
    remember.rules = ruleLines(edited.rules);
    remember.destination = edited.destination;
  }
  return { kind: "allow", remember: [remember] };
}
