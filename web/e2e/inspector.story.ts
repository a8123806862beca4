// A session that has something on every tab of the inspector: tasks, agents, a job, changes, a notebook, MCP servers, a context
// that is nearly full.

import { calls, says, turn } from "./story";

const task = (id: string, subject: string, activeForm: string) =>
  calls("TaskCreate", { subject, description: `${subject}, in all places`, activeForm }, `Task #${id} created`, {
    gives_value: { task: { id, subject } },
  });

const update = (taskId: string, change: Record<string, unknown>) =>
  calls("TaskUpdate", { taskId, ...change }, `Updated task #${taskId}`, {
    gives_value: { success: true, taskId, updatedFields: Object.keys(change) },
  });

const edit = (file: string, gone: string, come: string) =>
  calls("Edit", { file_path: file, old_string: gone, new_string: come }, "The file has been updated.", {
    asks: false,
    gives_value: {
      filePath: file,
      oldString: gone,
      newString: come,
      originalFile: null,
      userModified: false,
      replaceAll: false,
      structuredPatch: [
        { oldStart: 3, oldLines: 3, newStart: 3, newLines: 3, lines: [" {", `-${gone}`, `+${come}`, " }"] },
      ],
    },
  });

const CELLS = [
  '<cell id="c1">print(1)\n</cell id="c1">\n1\n',
  '<cell id="c2"><cell_type>markdown</cell_type># A *title*\n</cell id="c2">',
].join("");

const notebook = calls(
  "NotebookEdit",
  { notebook_path: "/project/nb.ipynb", cell_id: "c1", new_source: "print(2)\nx = 3\n" },
  "Updated",
  {
    asks: false,
    gives_value: {
      new_source: "print(2)\nx = 3\n",
      old_source: "print(1)\nx = 3\n",
      cell_type: "code",
      language: "python",
      edit_mode: "replace",
      cell_id: "c1",
      error: "",
      notebook_path: "/project/nb.ipynb",
    },
  },
);

const SERVERS = [
  {
    name: "github",
    status: "connected",
    serverInfo: { name: "github", version: "1.2.0" },
    config: { type: "stdio", command: "node", args: ["github.js"] },
    transport: "stdio",
    scope: "project",
    tools: [
      { name: "search_repositories", description: "Finds repositories by name", annotations: { readOnly: true } },
      { name: "delete_branch", description: "Removes a branch", annotations: { destructive: true } },
    ],
  },
  {
    name: "broken",
    status: "failed",
    error: "ENOENT: no such file",
    config: { type: "stdio", command: "/none" },
    scope: "local",
  },
  {
    name: "tracker",
    status: "needs-auth",
    config: { type: "http", url: "https://tracker.example/mcp" },
    transport: "http",
  },
  { name: "idle", status: "disabled", config: { type: "stdio", command: "idle" } },
];

const CONTEXT = {
  categories: [
    { id: "system_prompt", name: "System prompt", tokens: 12_000, kind: "used" },
    { id: "messages", name: "Messages", tokens: 150_000, kind: "used" },
    { id: "mcp", name: "MCP tools (deferred)", tokens: 40_000, kind: "deferred", isDeferred: true },
    { id: "free_space", name: "Free space", tokens: 38_000, kind: "free" },
  ],
  totalTokens: 162_000,
  maxTokens: 200_000,
  rawMaxTokens: 200_000,
  percentage: 81,
  memoryFiles: [{ path: "/project/CLAUDE.md", type: "Project", tokens: 900 }],
  mcpTools: [{ name: "mcp__github__delete_branch", serverName: "github", tokens: 310, isLoaded: true }],
  agents: [{ agentType: "reviewer", source: "projectSettings", tokens: 120 }],
  isAutoCompactEnabled: true,
  autoCompactThreshold: 167_000,
};

const rule = (behavior: string, words: string, source: string) => ({
  behavior,
  rule: words,
  source,
  description: { prefix: "Any command starting with ", emphasis: words },
  editability: "session",
});

const RULES = {
  rules: [
    rule("allow", "Bash(npm test:*)", "session"),
    rule("deny", "Bash(rm -rf:*)", "userSettings"),
    rule("ask", "Bash(git push:*)", "localSettings"),
  ],
  workspaceDirectories: [{ path: "/project/other", source: "cliArg" }],
  originalCwd: "/project",
  managedOnly: false,
};

/** A limit of the plan, which begins anew in three hours. */
const limit = (rateLimitType: string, utilization: number, status: string) => ({
  line: JSON.stringify({
    type: "rate_limit_event",
    session_id: "s",
    uuid: "5eba7181-9c80-44b2-baf0-985000000002",
    rate_limit_info: { status, rateLimitType, utilization, resetsAt: Math.floor(Date.now() / 1000) + 10_800 },
  }),
});

export const story = {
  usage: {
    input_tokens: 4,
    cache_creation_input_tokens: 2000,
    cache_read_input_tokens: 50_000,
    final_output_tokens: 300,
  },
  on_control: [
    { subtype: "mcp_status", does: { body: { mcpServers: SERVERS } } },
    { subtype: "get_context_usage", does: { body: CONTEXT } },
    { subtype: "list_permission_rules", does: { body: { state: RULES } } },
    {
      subtype: "get_task_output",
      does: { body: { output: "ok 1\nok 2\n", total_bytes: 90_000, truncated: true } },
    },
  ],
  turns: [
    [
      limit("five_hour", 0.82, "allowed_warning"),
      limit("seven_day", 0.31, "allowed"),
      ...turn(
        [
          task("1", "Change the version", "Changing the version"),
          task("2", "Run the tests", "Running the tests"),
          task("3", "Write a note", "Writing a note"),
        ],
        [
          update("3", { addBlockedBy: ["1", "2"] }),
          update("1", { status: "completed" }),
          update("2", { status: "in_progress", owner: "tester" }),
        ],
        [edit("/project/a.ts", "old", "new"), edit("/project/b.ts", "was", "is")],
        [edit("/project/a.ts", "one", "two")],
        [
          calls("Read", { file_path: "/project/nb.ipynb" }, CELLS, {
            gives_value: { type: "notebook", file: { filePath: "/project/nb.ipynb" } },
          }),
          notebook,
        ],
        [
          calls("Agent", { description: "Look at the tests", subagent_type: "Explore", prompt: "Look" }, "", {
            replies: [
              { blocks: [calls("Grep", { pattern: "test" }, "3 matches")] },
              { blocks: [says("They are fine.")] },
            ],
          }),
        ],
        [
          calls("Bash", { command: "sleep 600", description: "Long job", run_in_background: true }, "started", {
            asks: false,
            until: "control_request/stop_task",
          }),
        ],
        [says("All of it is under way.")],
      ),
    ],
    turn([says("Nothing more.")]),
    turn([calls("Bash", { command: "npm test", description: "Tests" }, "ok", { asks: true })], [says("They pass.")]),
  ],
};
