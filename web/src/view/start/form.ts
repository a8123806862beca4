// The form for a new session: fields of text go in, what the server takes comes out, or what is wrong with which field.

import type { Options } from "../../api/server";

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
  appendSystemPrompt: string;
  systemPrompt: string;
  fallbackModels: string;
  maxTurns: string;
  agent: string;
  mcpFiles: string;
  mcpServers: string;
  strictMcp: boolean;
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
  appendSystemPrompt: "",
  systemPrompt: "",
  fallbackModels: "",
  maxTurns: "",
  agent: "",
  mcpFiles: "",
  mcpServers: "",
  strictMcp: false,
};

/** The fields that are folded away at first. */
export const MORE_FIELDS = [
  "title",
  "directories",
  "allowedTools",
  "disallowedTools",
  "appendSystemPrompt",
  "systemPrompt",
  "fallbackModels",
  "maxTurns",
  "agent",
  "mcpFiles",
  "mcpServers",
] as const satisfies readonly (keyof Form)[];

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
  const servers = readServers(form.mcpServers);
  if (servers === "wrong") errors.mcpServers = 'JSON, like {"files": {"command": "mcp-files"}}.';
  else put("mcpServers", servers);
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, options };
}

const word = (value: string): string | undefined => value.trim() || undefined;
const text = (value: string): string | undefined => (value.trim() === "" ? undefined : value);

function lines(value: string): string[] | undefined {
  const all = value.split("\n").flatMap((line) => line.trim() || []);
  return all.length === 0 ? undefined : all;
}

function amount(value: string): number | undefined | "wrong" {
  const plain = value
    .trim()
    .replace(/^\$\s*/, "")
    .replace(",", ".");
  if (plain === "") return undefined;
  return /^\d+(\.\d+)?$/.test(plain) && Number(plain) > 0 ? Number(plain) : "wrong";
}

/** As the CLI's own file has them, with or without `mcpServers` around it. */
function readServers(value: string): Record<string, unknown> | undefined | "wrong" {
  if (value.trim() === "") return undefined;
  try {
    const read: unknown = JSON.parse(value);
    const wrapped = isObject(read) ? read[WRAPPER] : undefined;
    const inner = isObject(wrapped) ? wrapped : read;
    return isObject(inner) && Object.values(inner).every(isObject) ? inner : "wrong";
  } catch {
    return "wrong";
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
