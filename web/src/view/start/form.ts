// The form for a new session: fields of text go in, what the server takes comes out, or what is wrong with which field.

import type { Options } from "../../api/server";
import { readDollars } from "../panel/dollars";

export type Form = {
  cwd: string;
  model: string;
  effort: string;
  budget: string;
  mode: string;
  title: string;
  directories: string;
  allowedTools: string;
  disallowedTools: string;
  tools: string;
  appendSystemPrompt: string;
  systemPrompt: string;
  fallbackModels: string;
  maxTurns: string;
  agent: string;
  agents: string;
  mcpFiles: string;
  mcpServers: string;
  strictMcp: boolean;
  settings: string;
  /** Which settings files are read; all of them is the CLI's own way. */
  userSettings: boolean;
  projectSettings: boolean;
  localSettings: boolean;
};

export const EMPTY_FORM: Form = {
  cwd: "",
  model: "",
  effort: "",
  budget: "",
  mode: "default",
  title: "",
  directories: "",
  allowedTools: "",
  disallowedTools: "",
  tools: "",
  appendSystemPrompt: "",
  systemPrompt: "",
  fallbackModels: "",
  maxTurns: "",
  agent: "",
  agents: "",
  mcpFiles: "",
  mcpServers: "",
  strictMcp: false,
  settings: "",
  userSettings: true,
  projectSettings: true,
  localSettings: true,
};

/** The fields that are folded away at first. */
export const MORE_FIELDS = [
  "title",
  "directories",
  "allowedTools",
  "disallowedTools",
  "tools",
  "appendSystemPrompt",
  "systemPrompt",
  "fallbackModels",
  "maxTurns",
  "agent",
  "agents",
  "mcpFiles",
  "mcpServers",
  "settings",
] as const satisfies readonly (keyof Form)[];

/** The settings files that the CLI reads, by the name that it has for each. */
export const SOURCES = [
  ["user", "userSettings", "Yours"],
  ["project", "projectSettings", "The project’s"],
  ["local", "localSettings", "Yours for the project"],
] as const satisfies readonly (readonly [string, keyof Form, string])[];

/** How many of the folded options are set. */
export function countSet(form: Form): number {
  const isCut = SOURCES.some(([, field]) => !form[field]);
  return MORE_FIELDS.filter((field) => form[field] !== "").length + (form.strictMcp ? 1 : 0) + (isCut ? 1 : 0);
}

export type FormErrors = Partial<Record<keyof Form, string>>;

export type Read = { ok: true; options: Options } | { ok: false; errors: FormErrors };

/** What the CLI's own file has around its servers. */
const WRAPPER = "mcpServers";
const BYPASS = "bypassPermissions";

export function readForm(form: Form): Read {
  const errors: FormErrors = {};
  const options: Options = {};
  const put = <K extends keyof Options>(key: K, value: Options[K] | undefined) => {
    if (value !== undefined) options[key] = value;
  };
  if (form.cwd.trim() === "") errors.cwd = "Say in which folder the agent works.";
  put("cwd", word(form.cwd));
  put("model", word(form.model));
  put("effort", word(form.effort));
  if (form.mode === BYPASS) options.bypassPermissions = true;
  else if (form.mode !== "default") options.mode = form.mode;
  put("title", word(form.title));
  put("agent", word(form.agent));
  put("directories", lines(form.directories));
  put("allowedTools", lines(form.allowedTools));
  put("disallowedTools", lines(form.disallowedTools));
  put("tools", lines(form.tools));
  put("fallbackModels", lines(form.fallbackModels));
  put("mcpFiles", lines(form.mcpFiles));
  put("appendSystemPrompt", text(form.appendSystemPrompt));
  put("systemPrompt", text(form.systemPrompt));
  if (form.strictMcp) options.strictMcp = true;
  const budget = amount(form.budget);
  if (budget === "wrong") errors.budget = "Dollars, like 5 or 2.50.";
  else put("maxBudgetUsd", budget);
  const turns = amount(form.maxTurns);
  if (turns === "wrong" || (turns !== undefined && !Number.isInteger(turns)))
    errors.maxTurns = "A whole number, like 20.";
  else put("maxTurns", turns);
  const servers = readNamed(form.mcpServers, WRAPPER);
  if (servers === "wrong") errors.mcpServers = 'JSON, like {"files": {"command": "mcp-files"}}.';
  else put("mcpServers", servers);
  const agents = readNamed(form.agents);
  if (agents === "wrong") errors.agents = 'JSON, like {"tester": {"description": "…", "prompt": "…"}}.';
  else put("agents", agents);
  const settings = readObject(form.settings);
  if (settings === "wrong") errors.settings = 'JSON, like {"env": {"MAX_THINKING_TOKENS": "8000"}}.';
  else put("settings", settings);
  const sources = SOURCES.flatMap(([source, field]) => (form[field] ? [source] : []));
  if (sources.length < SOURCES.length) options.settingSources = sources;
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, options };
}

const word = (value: string): string | undefined => value.trim() || undefined;
const text = (value: string): string | undefined => (value.trim() === "" ? undefined : value);

function lines(value: string): string[] | undefined {
  const all = value.split("\n").flatMap((line) => line.trim() || []);
  return all.length === 0 ? undefined : all;
}

/** More than nothing. */
function amount(value: string): number | undefined | "wrong" {
  const read = readDollars(value);
  return read === 0 ? "wrong" : read;
}

/** Things by name, each of them an object; as the CLI's own file has them, with or without the word around it. */
function readNamed(value: string, around?: string): Record<string, unknown> | undefined | "wrong" {
  const read = readObject(value);
  if (read === undefined || read === "wrong") return read;
  const wrapped = around === undefined ? undefined : read[around];
  const inner = isObject(wrapped) ? wrapped : read;
  return Object.values(inner).every(isObject) ? inner : "wrong";
}

function readObject(value: string): Record<string, unknown> | undefined | "wrong" {
  if (value.trim() === "") return undefined;
  try {
    const read: unknown = JSON.parse(value);
    return isObject(read) ? read : "wrong";
  } catch {
    return "wrong";
  }
}

/** The form that gives these options: what a preset says, ready to be changed. What it does not say is empty. */
export function formOf(options: Options): Form {
  const json = (value: Record<string, unknown> | null | undefined) =>
    value && Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : "";
  const list = (value: readonly string[] | null | undefined) => (value ?? []).join("\n");
  const sources = options.settingSources;
  const reads = (source: string) => !sources || sources.includes(source);
  return {
    cwd: options.cwd ?? "",
    model: options.model ?? "",
    effort: options.effort ?? "",
    budget: options.maxBudgetUsd == null ? "" : String(options.maxBudgetUsd),
    mode: options.bypassPermissions ? BYPASS : (options.mode ?? "default"),
    title: options.title ?? "",
    directories: list(options.directories),
    allowedTools: list(options.allowedTools),
    disallowedTools: list(options.disallowedTools),
    tools: list(options.tools),
    appendSystemPrompt: options.appendSystemPrompt ?? "",
    systemPrompt: options.systemPrompt ?? "",
    fallbackModels: list(options.fallbackModels),
    maxTurns: options.maxTurns == null ? "" : String(options.maxTurns),
    agent: options.agent ?? "",
    agents: json(options.agents),
    mcpFiles: list(options.mcpFiles),
    mcpServers: json(options.mcpServers),
    strictMcp: options.strictMcp ?? false,
    settings: json(options.settings),
    userSettings: reads("user"),
    projectSettings: reads("project"),
    localSettings: reads("local"),
  };
}

/** How the server begins, or goes on, to say what is wrong with which option. */
const FAULTS: readonly (readonly [RegExp, keyof Form])[] = [
  [/^the permission mode:|is no permission mode/i, "mode"],
  [/^the effort:|is no effort/i, "effort"],
  [/is no agent/i, "agent"],
  [/is no tool/i, "tools"],
  [/^an MCP server:/i, "mcpServers"],
  [/^a subagent:/i, "agents"],
  [/^the setting|is no variable/i, "settings"],
  [/^a title /i, "title"],
];

/** The field that the server's words are about: it names the value, and the form knows where that stands. */
export function fieldNamed(message: string, form: Form): keyof Form | undefined {
  const value = /`([^`]*)`/.exec(message)?.[1];
  const has = (field: "allowedTools" | "disallowedTools" | "directories" | "mcpFiles" | "fallbackModels") =>
    value !== undefined && (lines(form[field]) ?? []).includes(value);
  if (/is no rule/i.test(message))
    return has("disallowedTools") && !has("allowedTools") ? "disallowedTools" : "allowedTools";
  if (/is no model/i.test(message)) return has("fallbackModels") ? "fallbackModels" : "model";
  const named = FAULTS.find(([words]) => words.test(message))?.[1];
  if (named !== undefined) return named;
  if (has("directories")) return "directories";
  if (has("mcpFiles")) return "mcpFiles";
  return value !== undefined && value === form.cwd.trim() ? "cwd" : undefined;
}

/** The field of the form that an option of the server stands in, so that what is wrong with it is said there. */
export function fieldOf(option: string | undefined): keyof Form | undefined {
  switch (option) {
    case undefined:
      return undefined;
    case "maxBudgetUsd":
      return "budget";
    case "bypassPermissions":
      return "mode";
    case "settingSources":
      return "settings";
    default:
      return option in EMPTY_FORM ? (option as keyof Form) : undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A kept form; of what is not one, what can be used. */
export function keptForm(kept: string | null): Form {
  try {
    const read: unknown = JSON.parse(kept ?? "{}");
    if (!isObject(read)) return EMPTY_FORM;
    const fields = Object.entries(EMPTY_FORM).map(([name, empty]) => [
      name,
      typeof read[name] === typeof empty ? read[name] : empty,
    ]);
    return Object.fromEntries(fields) as Form;
  } catch {
    return EMPTY_FORM;
  }
}
