// The MCP servers: what the state knows and what the agent answers in; one list with states in words out. Pure.

import type { McpServerAnswer, McpToolAnswer } from "../../../api/inspect";
import type { McpServer } from "../../../generated";

export type SeenServer = {
  name: string;
  status: string;
  error: string | undefined;
  version: string | undefined;
  /** `stdio`, `http`, … and where it is configured. */
  transport: string | undefined;
  scope: string | undefined;
  /** The program or the address behind it. */
  behind: string | undefined;
  tools: readonly McpToolAnswer[];
};

/** The state is up to date; the answer knows more of each. */
export function seenServers(
  known: readonly McpServer[],
  answered: readonly McpServerAnswer[],
  allTools: readonly string[] = [],
): SeenServer[] {
  const names = [...new Set([...known, ...answered].map(({ name }) => name))];
  return names.map((name) => {
    const state = known.find((server) => server.name === name);
    const answer = answered.find((server) => server.name === name);
    const listed = state?.tools.length ? state.tools : toolsOf(name, allTools);
    const tools = answer?.tools ?? listed.map((tool) => ({ name: tool }));
    return {
      name,
      status: state?.status ?? answer?.status ?? "pending",
      error: state?.error ?? answer?.error,
      version: state?.version ?? answer?.serverInfo?.version,
      transport: answer?.transport ?? answer?.config?.type,
      scope: answer?.scope ?? state?.source,
      behind: behindIt(answer?.config),
      tools: tools.map((tool) => ({ ...tool, name: tool.name.replace(/^mcp__.*?__/, "") })),
    };
  });
}

/** Older agents name the tools of all servers in one list. */
function toolsOf(server: string, all: readonly string[]): string[] {
  const prefix = `mcp__${server.replace(/[^\w-]/g, "_")}__`;
  return all.filter((tool) => tool.startsWith(prefix)).map((tool) => tool.slice(prefix.length));
}

function behindIt(config: McpServerAnswer["config"]): string | undefined {
  if (config?.url !== undefined) return config.url;
  if (config?.command === undefined) return undefined;
  return [config.command, ...(config.args ?? [])].join(" ");
}

export type StatusTone = "good" | "bad" | "wait" | "off";

export function statusOf(status: string): { words: string; tone: StatusTone } {
  switch (status) {
    case "connected":
      return { words: "Connected", tone: "good" };
    case "failed":
      return { words: "Failed", tone: "bad" };
    case "needs-auth":
      return { words: "Wants you to log in", tone: "wait" };
    case "pending":
      return { words: "Connecting", tone: "wait" };
    case "disabled":
      return { words: "Switched off", tone: "off" };
    default:
      return { words: status, tone: "off" };
  }
}

const SCOPES: Record<string, string> = {
  user: "all your projects",
  project: "this project, .mcp.json",
  local: "this project, only you",
  dynamic: "given at the start",
  enterprise: "your organization",
  claudeai: "claude.ai",
  sdk: "this program",
  plugin: "a plugin",
};

export function scopeWords(scope: string): string {
  return SCOPES[scope] ?? scope;
}

/** What a tool may do to the world, by its own account. */
export function toolMarks({ annotations }: McpToolAnswer): string[] {
  return [
    annotations?.readOnly ? "only reads" : "",
    annotations?.destructive ? "may destroy" : "",
    annotations?.openWorld ? "reaches outside" : "",
  ].filter((mark) => mark !== "");
}
