// What the CLI's own tools are for, in a line each.

const MEANINGS: Record<string, string> = {
  Agent: "Gives a part of the work to a subagent",
  AskUserQuestion: "Asks you something, with answers to choose from",
  Bash: "Runs a command in a shell",
  BashOutput: "Reads what a command in the background has written",
  CronCreate: "Plans work for later",
  CronDelete: "Takes planned work back",
  CronList: "Lists planned work",
  Edit: "Changes a part of a file",
  EnterPlanMode: "Begins to plan before anything is changed",
  EnterWorktree: "Goes on in a worktree of its own",
  ExitPlanMode: "Shows you a plan and asks for your approval",
  Glob: "Finds files by their names",
  Grep: "Finds text in files",
  KillShell: "Stops a command in the background",
  ListMcpResourcesTool: "Lists what MCP servers have to read",
  LSP: "Asks a language server about the code",
  MultiEdit: "Changes several parts of a file at once",
  NotebookEdit: "Changes a cell of a notebook",
  Read: "Reads a file",
  ReadMcpResourceTool: "Reads something from an MCP server",
  SendMessage: "Writes to another agent",
  Skill: "Uses a skill",
  SlashCommand: "Calls a command",
  Task: "Gives a part of the work to a subagent",
  TaskCreate: "Adds a task to the list",
  TaskGet: "Reads a task",
  TaskList: "Reads the list of tasks",
  TaskOutput: "Reads what a task has written",
  TaskStop: "Stops a task",
  TaskUpdate: "Changes a task",
  TodoWrite: "Writes the list of tasks",
  ToolSearch: "Looks for tools that are not loaded yet",
  WebFetch: "Reads a page of the web",
  WebSearch: "Searches the web",
  Workflow: "Runs a workflow of several agents",
  Write: "Writes a whole file",
};

export function toolMeaning(name: string): string {
  return Object.hasOwn(MEANINGS, name) ? (MEANINGS[name] ?? "") : "";
}
