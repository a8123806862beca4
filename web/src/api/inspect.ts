// What the inspector asks of the server: the context, the MCP servers, the rules, the records and the output of a job, as the
// agent or the log has them. The agent's own answers are passed on as it wrote them, so all of it may be missing.

import { get, getText, inSession, post, query } from "./http";
import { newId } from "./ids";

export type ContextPart = {
  id?: string;
  name?: string;
  tokens?: number;
  isDeferred?: boolean;
  /** `used`, `free`, `buffer`, `deferred` … */
  kind?: string;
};

/** What fills the context. */
export type ContextAnswer = {
  model?: string;
  totalTokens?: number;
  maxTokens?: number;
  rawMaxTokens?: number;
  percentage?: number;
  categories?: ContextPart[];
  memoryFiles?: { path?: string; type?: string; tokens?: number }[];
  mcpTools?: { name?: string; serverName?: string; tokens?: number; isLoaded?: boolean }[];
  agents?: { agentType?: string; source?: string; tokens?: number }[];
  skills?: { skillFrontmatter?: { name?: string; source?: string; tokens?: number }[] };
  messageBreakdown?: Record<string, unknown>;
  autoCompactThreshold?: number;
  isAutoCompactEnabled?: boolean;
};

export const askContext = (id: string, signal?: AbortSignal): Promise<ContextAnswer> =>
  get(inSession(id, "context"), signal);

export type McpToolAnswer = {
  name: string;
  description?: string;
  annotations?: { readOnly?: boolean; destructive?: boolean; openWorld?: boolean };
};

export type McpServerAnswer = {
  name: string;
  status?: string;
  error?: string;
  serverInfo?: { name?: string; version?: string; title?: string; description?: string };
  config?: { type?: string; command?: string; args?: string[]; url?: string };
  transport?: string;
  scope?: string;
  tools?: McpToolAnswer[];
  toolCount?: number;
};

export const askMcp = (id: string, signal?: AbortSignal): Promise<{ mcpServers?: McpServerAnswer[] }> =>
  get(inSession(id, "mcp"), signal);

export const changeMcp = (id: string, server: string, action: "reconnect" | "enable" | "disable"): Promise<void> =>
  post(inSession(id, "mcp", server), { action });

export type RulesAnswer = {
  /** Who says so: the agent itself, or the files it reads. */
  source: "agent" | "files";
  rules: { behavior: string; rule: string; source: string; description?: string | null }[];
  directories: { path: string; source?: string | null }[];
};

export const askRules = (id: string, signal?: AbortSignal): Promise<RulesAnswer> => get(inSession(id, "rules"), signal);

/** For whom rules would hold. */
export type Reach = "session" | "project" | "everyone";

/** Which of the last calls rules would have covered. */
export type Effect = {
  lookedAt: number;
  calls: {
    session: string;
    title?: string | null;
    id: string;
    tool: string;
    about: string;
    at: number;
    denied: boolean;
  }[];
};

export const askEffect = (id: string, rules: readonly string[], reach: Reach, signal?: AbortSignal): Promise<Effect> =>
  post(inSession(id, "rules", "effect"), { rules, reach }, signal);

/** Records after one, as lines of JSON. */
export const records = (id: string, after: number, limit: number, signal?: AbortSignal): Promise<string> =>
  getText(inSession(id, "records") + query({ after, limit }), signal);

export type JobOutput = { output: string; totalBytes?: number | null; truncated: boolean };

export const jobOutput = (id: string, task: string, signal?: AbortSignal): Promise<JobOutput> =>
  get(inSession(id, "tasks", task, "output"), signal);

/** Says a command to the agent, as if it was typed. Without a record it waits until the turn has ended. */
export const sendCommand = (id: string, text: string): Promise<{ seq?: number }> =>
  post(inSession(id, "messages"), { id: newId(), text, delivery: "afterTurn" });
