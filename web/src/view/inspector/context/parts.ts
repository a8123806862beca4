// What fills the context: the agent's answer or the state in; parts in the order of their size, and lists behind them, out. Pure.

import type { ContextAnswer } from "../../../api/inspect";
import type { Context } from "../../../generated";

/** `outside` is known to the agent and not in the context; `kept` is kept free for compacting. */
export type PartKind = "used" | "kept" | "free" | "outside";

export type ContextPart = { name: string; tokens: number; kind: PartKind };

const ORDER: readonly PartKind[] = ["used", "kept", "free", "outside"];

/** From this share on little room is left. */
export const NEARLY_FULL = 80;

/** The answer says most; without one, what the state has of an earlier one. */
export function partsOf(answer: ContextAnswer | undefined, context: Context): ContextPart[] {
  const told = answer?.categories?.map(({ name = "", tokens = 0, kind, isDeferred }) => ({
    name,
    tokens,
    kind: isDeferred ? "outside" : kindOf(name, kind),
  }));
  const parts: ContextPart[] =
    told ?? context.categories.map((part) => ({ ...part, kind: kindOf(part.name, undefined) }));
  return parts
    .filter((part) => part.name !== "")
    .map((part) => ({ ...part, name: part.name.replace(/ \(deferred\)$/i, "") }))
    .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.tokens - a.tokens);
}

function kindOf(name: string, kind: string | undefined): PartKind {
  if (kind === "free" || kind === "used") return kind;
  if (kind === "deferred" || /\(deferred\)/i.test(name)) return "outside";
  if (/^free/i.test(name)) return "free";
  return /buffer|reserved/i.test(name) ? "kept" : "used";
}

export type Detail = { name: string; hint?: string; tokens: number };
export type DetailList = { title: string; details: Detail[] };

/** The lists that the answer has beside the parts. */
export function detailsOf(answer: ContextAnswer | undefined): DetailList[] {
  if (answer === undefined) return [];
  const lists: DetailList[] = [
    {
      title: "Memory files",
      details: (answer.memoryFiles ?? []).map(({ path = "", type, tokens }) => detail(path, type, tokens)),
    },
    {
      title: "MCP tools",
      details: (answer.mcpTools ?? []).map(({ name = "", serverName, tokens, isLoaded }) =>
        detail(
          name.replace(/^mcp__.*?__/, ""),
          [serverName, isLoaded === false ? "not loaded" : ""].filter(Boolean).join(", "),
          tokens,
        ),
      ),
    },
    {
      title: "Agents",
      details: (answer.agents ?? []).map(({ agentType = "", source, tokens }) => detail(agentType, source, tokens)),
    },
    {
      title: "Skills",
      details: (answer.skills?.skillFrontmatter ?? []).map(({ name = "", source, tokens }) =>
        detail(name, source, tokens),
      ),
    },
    { title: "Messages", details: messages(answer.messageBreakdown) },
  ];
  return lists
    .map(({ title, details }) => ({
      title,
      details: details.filter(({ name }) => name !== "").sort((a, b) => b.tokens - a.tokens),
    }))
    .filter(({ details }) => details.length > 0);
}

function detail(name: string, hint: string | undefined, tokens: number | undefined): Detail {
  return { name, tokens: tokens ?? 0, ...(hint ? { hint } : {}) };
}

const MESSAGES: Record<string, string> = {
  userMessageTokens: "What you said",
  assistantMessageTokens: "What the agent said",
  toolCallTokens: "Calls of tools",
  toolResultTokens: "Results of tools",
  attachmentTokens: "Attachments",
  redirectedContextTokens: "From other conversations",
  unattributedTokens: "Other",
};

function messages(breakdown: Record<string, unknown> | undefined): Detail[] {
  return Object.entries(MESSAGES).flatMap(([key, name]) => {
    const tokens = breakdown?.[key];
    return typeof tokens === "number" && tokens > 0 ? [{ name, tokens }] : [];
  });
}

/** How full it is, in percent; none while nobody knows. */
export function fullness(context: Context): number | undefined {
  const { used, window } = context;
  return used === undefined || window === undefined || window === 0 ? undefined : (used / window) * 100;
}
