// The tabs of the inspector, in their order.

export const TABS = ["tasks", "files", "context", "cost", "mcp", "rules", "raw"] as const;

export type Tab = (typeof TABS)[number];

export const TAB_NAMES: Record<Tab, string> = {
  tasks: "Tasks",
  files: "Files",
  context: "Context",
  cost: "Cost",
  mcp: "MCP",
  rules: "Rules",
  raw: "Raw",
};

/** Where there is little room, these stand in the row and the others in the menu beside it. */
export const FIRST_TABS: readonly Tab[] = ["tasks", "files", "context", "cost"];
