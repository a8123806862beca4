// The subagents of a session: items in, a tree out. Pure.

import type { AgentItem, Item } from "../../../generated";

export type AgentNode = { item: Item; agent: AgentItem; inner: AgentNode[] };

/** Each stands under the one that began it; where that is not held, by itself. */
export function agentTree(items: readonly Item[]): AgentNode[] {
  const nodes = new Map<string, AgentNode>();
  const roots: AgentNode[] = [];
  for (const item of items) {
    if (item.body.kind === "agent") nodes.set(item.id, { item, agent: item.body, inner: [] });
  }
  for (const node of nodes.values()) {
    const outer = node.item.parent === undefined ? undefined : nodes.get(node.item.parent);
    (outer?.inner ?? roots).push(node);
  }
  return roots;
}

export function isRunning({ agent }: AgentNode): boolean {
  return agent.status === "running" || agent.status === "background" || agent.status === "writing";
}

/** Does it run, or anything that it began? */
export function runsAnywhere(node: AgentNode): boolean {
  return isRunning(node) || node.inner.some(runsAnywhere);
}

export function countAgents(nodes: readonly AgentNode[]): number {
  return nodes.reduce((all, node) => all + 1 + countAgents(node.inner), 0);
}
