// Made from the Rust types of `crates/insights` by `cargo xtask codegen`. Changes belong there.

/** Who is logged in. */
export type Account = {
  /** The address. */
  email?: string;
  /** The organization. */
  organization?: string;
  /** The plan. */
  plan?: string;
  /** Where the token is from. */
  tokenSource?: string;
  /** Where the API key is from. */
  apiKeySource?: string;
};

/** Who is logged in. */
export type AccountInfo = {
  /** The address. */
  email?: string;
  /** The organization. */
  organization?: string;
  /** The plan. */
  subscriptionType?: string;
  /** Where the token is from. */
  tokenSource?: string;
  /** Where the API key is from. */
  apiKeySource?: string;
};

/** A subagent: a call of the agent tool, or a command that runs as one. */
export type AgentItem = {
  /** The tool, or the command. */
  name: string;
  /** The kind of the subagent. */
  agentType?: string;
  /** What it is to do. */
  description: string;
  /** The input as JSON text; grows while it is written. */
  input: Clip;
  /** What it is told. */
  prompt: Clip;
  /** How far it is. */
  status: ToolStatus;
  /** Does it run in the background? */
  background: boolean;
  /** Its id, for going on with it. */
  agentId?: string;
  /** Its task, for stopping it. */
  taskId?: string;
  /** The model. */
  model?: string;
  /** Its last words. */
  result?: Clip;
  /** What went wrong. */
  error?: Clip;
  /** Who decided about it. */
  decision?: Decision;
  /** Tokens that it used. */
  tokens?: number;
  /** Tools that it called. */
  toolUses?: number;
  /** How long it took. */
  durationMs?: number;
  /** The tool that it called last. */
  lastTool?: string;
  /** Why it waits: its call of the model failed and will be made again. */
  retry?: string;
  /** When it ended. */
  endedAt?: UnixMillis;
};

/** A kind of subagent. */
export type AgentKind = {
  /** Its name. */
  name: string;
  /** What it is for. */
  description?: string;
  /** Its model; `inherit` for that of the main agent. */
  model?: string;
};

/** The agent's process. */
export type AgentProcess = "none" | "starting" | "running" | "ended" | "died";

/** A call of the model failed and will be made again. */
type ApiRetry = {
  /** The number of the try. */
  attempt: number;
  /** How many there may be. */
  maxRetries?: number;
  /** How long until it is made. */
  retryDelayMs?: number;
  /** The HTTP status. */
  errorStatus?: number;
  /** What went wrong. */
  error?: string;
  /** How long the agent waited for an answer of which nothing came. */
  noResponseMs?: number;
};

/** A question that is open now. */
export type Ask = {
  /** The name of the question; the answer repeats it. */
  id: string;
  /** The record that holds it. */
  seq: number;
  /** When it was asked. */
  at: UnixMillis;
  /** The call that it is about. */
  call?: string;
  /** The subagent that asks. */
  agentId?: string;
  /** What is asked. */
  body: AskBody;
};

/** What is asked. */
export type AskBody = { "kind": "permission" } & PermissionAsk
  | { "kind": "question" } & QuestionAsk
  | { "kind": "plan" } & PlanAsk
  | { "kind": "elicitation" } & ElicitationAsk
  | { "kind": "dialog" } & DialogAsk;

/** The state of a login. */
type AuthStatus = {
  /** Does it go on? */
  isAuthenticating: boolean;
  /** What the agent says. */
  output: Array<string>;
  /** What went wrong. */
  error?: string;
};

/** The slash commands, all of them. */
type AvailableCommands = {
  /** The commands. */
  availableCommands: Array<SlashCommand>;
};

/** A task in the background. */
export type BackgroundTask = {
  /** The task. */
  taskId: string;
  /** The run of it. */
  runId?: string;
  /** The task that began it. */
  parentTaskId?: string;
  /** `local_agent`, `local_bash`, … */
  taskType?: string;
  /** The kind of the subagent. */
  agentType?: string;
  /** What it does. */
  description?: string;
};

/** The tasks in the background, all of them. */
type BackgroundTasks = {
  /** The tasks. */
  tasks: Array<BackgroundTask>;
};

/** What a block is. */
export type BlockType = "text" | "thinking" | "tool_use" | (string & {});

/** What can be used: rarely changes, and is large. */
export type Catalog = {
  /** The tools. */
  tools: Array<string>;
  /** The slash commands. */
  commands: Array<SlashCommand>;
  /** Commands that need a terminal. */
  terminalCommands: Array<string>;
  /** The subagents. */
  agents: Array<string>;
  /** What the subagents are for, where the agent says it. */
  agentKinds: Array<AgentKind>;
  /** The skills. */
  skills: Array<string>;
  /** The plugins. */
  plugins: Array<CatalogPlugin>;
  /** The models to choose from. */
  models: Array<CatalogModel>;
  /** The output styles to choose from. */
  outputStyles: Array<string>;
  /** Who is logged in. */
  account?: Account;
  /** What this version can do. */
  capabilities: Array<string>;
  /** Other folders that the agent may work in. */
  directories: Array<string>;
};

/** A model to choose. */
export type CatalogModel = {
  /** What to ask for. */
  value: string;
  /** Its name for people. */
  name: string;
  /** What it is good for. */
  description: string;
  /** How hard it can be made to think. */
  effortLevels: Array<string>;
  /** The full name of what is asked for. */
  resolved?: string;
  /** Has it a fast mode? */
  fastMode?: boolean;
  /** Can it be used in auto mode? */
  autoMode?: boolean;
  /** Can thinking be turned off? */
  thinkingOff?: boolean;
};

/** A plugin. */
export type CatalogPlugin = {
  /** Its name. */
  name: string;
  /** Where it is. */
  path?: string;
  /** Its version. */
  version?: string;
};

/** A share of the context. */
export type Category = {
  /** Its name. */
  name: string;
  /** Its tokens. */
  tokens: number;
};

/** One change of the state. The parts of the header are replaced as a whole; items are put, grown and dropped by id. */
export type Change = {
  "change": "status";
  /** All of it. */
  status: Status;
}
  | {
  "change": "meters";
  /** All of it. */
  meters: Meters;
}
  | {
  "change": "catalog";
  /** All of it. */
  catalog: Catalog;
}
  | {
  "change": "tasks";
  /** All of them. */
  tasks: Array<TodoTask>;
}
  | {
  "change": "jobs";
  /** All of them. */
  jobs: Array<Job>;
}
  | {
  "change": "mcp";
  /** All of them. */
  servers: Array<McpServer>;
}
  | {
  "change": "queue";
  /** All of them. */
  queue: Array<Queued>;
}
  | {
  "change": "put";
  /** The item. */
  item: Item;
}
  | {
  "change": "append";
  /** The item. */
  id: string;
  /** What is added. */
  text: string;
}
  | {
  "change": "drop";
  /** The item. */
  id: string;
}
  | {
  "change": "asks";
  /** All of them. */
  asks: Array<Ask>;
};

/** A text, or the head of a long one. */
export type Clip = {
  /** The text, or its head. */
  text: string;
  /** Where the whole text is, if this is only the head. */
  more?: More;
};

/** What a local command answered. */
export type CommandItem = {
  /** The command, without the slash. */
  command?: string;
  /** What it said. */
  text: Clip;
  /** Did it fail? */
  isError: boolean;
};

/** The context was summed up or cleared. */
export type CompactionItem = {
  /** Why. */
  trigger: CompactionTrigger;
  /** Tokens before. */
  preTokens?: number;
  /** Tokens after. */
  postTokens?: number;
  /** How long it took. */
  durationMs?: number;
  /** The summary that takes the place of what was said. */
  summary?: Clip;
  /** Why it failed. */
  error?: string;
};

/** A place where the context was summed up or cleared. */
export type CompactionMark = {
  /** When. */
  at: UnixMillis;
  /** Why. */
  trigger: CompactionTrigger;
  /** Tokens before. */
  before?: number;
  /** Tokens after. */
  after?: number;
  /** The item. */
  item: string;
};

/** Why the context was summed up or cleared. */
export type CompactionTrigger = "auto"
  | "manual"
  | "cleared";

/** The context of the main agent. */
export type Context = {
  /** Tokens in it. */
  used?: number;
  /** Tokens that fit into it. */
  window?: number;
  /** What they are for, where that was asked. */
  categories: Array<Category>;
  /** When that was asked. */
  categoriesAt?: UnixMillis;
  /** Where it was summed up, the last few times. */
  compactions: Array<CompactionMark>;
  /** How often it was summed up or cleared. */
  compacted: number;
};

/** A share of the context. */
export type ContextCategory = {
  /** Its name. */
  name: string;
  /** Its tokens. */
  tokens: number;
};

/** The context was summed up or cleared. */
type ContextCompaction = {
  /** Why. */
  trigger: CompactionTrigger;
  /** Tokens before. */
  preTokens?: number;
  /** Tokens after. */
  postTokens?: number;
  /** The summary, where it is told right away. */
  summary?: string;
  /** How long it took. */
  durationMs?: number;
  /** A name of the conversation from now on. The session's id is another: the next `init` has it. */
  newConversationId?: string;
  /** What cleared it: `clear`, `plan_mode_exit`, … */
  resetTrigger?: string;
};

/** What fills the context. */
export type ContextUsage = {
  /** The model. */
  model?: string;
  /** Tokens in it. */
  used: number;
  /** Tokens that fit into it. */
  max: number;
  /** How full it is, in percent. */
  percent: number;
  /** What they are for. */
  categories: Array<ContextCategory>;
};

/** A request of the host is being worked on. */
type ControlProgress = {
  /** The request. */
  requestId?: string;
  /** How it goes. */
  status?: string;
  /** Which try will be next. */
  attempt?: number;
  /** How many there may be. */
  maxRetries?: number;
  /** How long until it is made. */
  retryDelayMs?: number;
  /** The HTTP status of the last one. */
  errorStatus?: number;
};

/** A request of the host was answered. */
type ControlResult = {
  /** The request. */
  requestId?: string;
  /** What was asked, where the request was seen. */
  subtype?: string;
  /** Was it done? */
  ok: boolean;
  /** What went wrong. */
  error?: string;
  /** What was answered. */
  response?: Json;
  /** The model in force from now on. */
  model?: string;
  /** The permission mode in force from now on. */
  permissionMode?: string;
  /** What else is different from now on. */
  changed?: SettingsChanged;
  /** What fills the context, where that was asked. */
  contextUsage?: ContextUsage;
  /** The MCP servers, where they were asked for. */
  mcpServers?: Array<McpServerStatus>;
  /** Files that were put back. */
  filesRestored?: FilesRestored;
  /** What there is to choose from, where the agent was greeted. */
  offered?: Offered;
};

/** The host asked something of the agent. */
type ControlSent = {
  /** The name of the request. */
  requestId?: string;
  /** What is asked: `interrupt`, `set_model`, … */
  subtype: string;
  /** Which person or device asked. */
  by?: string;
};

/** Who decided about a call, and how. */
export type Decision = {
  /** How. */
  outcome: DecisionOutcome;
  /** Who: a person or device, `rule`, `hook`, … */
  by?: string;
  /** When. */
  at: UnixMillis;
  /** What was said with a refusal. */
  message?: string;
  /** Was the input changed before it ran? */
  edited: boolean;
  /** What is remembered, in words. */
  remembered: Array<string>;
};

/** How a question about a call was decided. */
export type DecisionOutcome = "allowed"
  | "denied"
  | "withdrawn"
  | "interrupted"
  | "abandoned";

/** A call that was refused. */
export type Denial = {
  /** The tool. */
  tool: string;
  /** The call. */
  call: string;
};

/** The agent wants a dialog shown. */
export type DialogAsk = {
  /** Which. */
  dialog?: string;
  /** What it is about, as JSON text. */
  payload: Clip;
};

/** A change of a file. */
export type Diff = {
  /** The file. */
  path: string;
  /** The parts. */
  hunks: Array<Hunk>;
  /** Lines that came. */
  added: number;
  /** Lines that went. */
  removed: number;
  /** Was the file not there before? */
  created: boolean;
  /** Was it changed by a person before it was written? */
  userModified: boolean;
  /** Which of its edits replace every occurrence of what they look for; none if each replaces one. */
  everywhere?: Everywhere;
  /** Was it computed from what the agent wants to do, and not yet done? */
  proposed: boolean;
  /** Are there more parts than these? Then the whole is in this record. */
  more?: More;
};

/** An MCP server asks the user for something. */
type Elicitation = {
  /** The name of the question. */
  requestId: string;
  /** The server. */
  mcpServer?: string;
  /** What it says. */
  message: string;
  /** `form` or `url`. */
  mode?: string;
  /** The page to go to. */
  url?: string;
  /** The server's own id of it. */
  elicitationId?: string;
  /** The JSON schema of the form. */
  requestedSchema?: Json;
  /** The fields of the form, in the server's order. */
  propertyOrder?: Array<string>;
  /** A heading. */
  title?: string;
  /** A name for the server, or for its tool. */
  displayName?: string;
  /** A second heading. */
  description?: string;
};

/** An MCP server asks for something. */
export type ElicitationAsk = {
  /** The server. */
  server?: string;
  /** The server's name for people. */
  displayName?: string;
  /** A heading. */
  title?: string;
  /** More about it. */
  description?: string;
  /** What it says. */
  message: Clip;
  /** `form` or `url`. */
  mode?: string;
  /** The page to go to. */
  url?: Clip;
  /** The JSON schema of the form, as text. */
  schema?: Clip;
  /** The fields of the form, in the server's order, as far as it is told. */
  propertyOrder: Array<string>;
  /** The server's own id of it. */
  elicitationId?: string;
};

/** What the user had to do elsewhere is done. */
type ElicitationComplete = {
  /** The server. */
  mcpServer?: string;
  /** The server's own id of it. */
  elicitationId?: string;
};

/** Something went wrong. */
export type ErrorItem = {
  /** The words. */
  text: Clip;
  /** What it was: `rate_limit`, `authentication_failed`, `exit`, … */
  category?: string;
  /** The HTTP status. */
  status?: number;
};

/** Which edits of a change replace every occurrence of what they look for. */
export type Everywhere = "all"
  | "some";

/** How the agent's process ended. */
export type Exit = {
  /** Its exit code. */
  code?: number;
  /** The signal that ended it. */
  signal?: number;
  /** Did nobody see how it ended? */
  lost: boolean;
  /** The last lines of its stderr. */
  stderrTail: Array<string>;
};

/** What may be used beyond the plan. Amounts are in the smallest unit of the currency. */
export type ExtraUsage = {
  /** Is it turned on? */
  isEnabled?: boolean;
  /** The most in a month. */
  monthlyLimit?: number;
  /** What is spent. */
  usedCredits?: number;
  /** How much of the limit that is, in percent. */
  usedPercent?: number;
  /** The currency. */
  currency?: string;
};

/** A file that was not. */
export type FailedFile = {
  /** Its name. */
  filename: string;
  /** Why. */
  error?: string;
};

/** A file that a turn changed. */
export type FileChange = {
  /** The file. */
  path: string;
  /** Lines that came. */
  added: number;
  /** Lines that went. */
  removed: number;
  /** Was it not there before? */
  created: boolean;
};

/** Files were uploaded. */
type FilesPersisted = {
  /** Those that went well. */
  files: Array<PersistedFile>;
  /** Those that did not. */
  failed: Array<FailedFile>;
  /** When, as the agent tells it. */
  processedAt?: string;
};

/** Files as they were before a prompt. */
export type FilesRestored = {
  /** The prompt, by its uuid. */
  before: string;
  /** Which ones, as the agent named them when it was asked before; the answer to the deed itself names none. */
  files: Array<string>;
  /** Which person or device wanted it. */
  by?: string;
};

/** The goal that the session works towards; without a condition it was given up or reached. */
type Goal = {
  /** When it is reached. */
  condition?: string;
  /** The tries so far. */
  iterations?: number;
  /** When it was set. */
  setAt?: UnixMillis;
  /** Tokens that had been used by then. */
  tokensAtStart?: number;
  /** Why the last one was not enough. */
  lastReason?: string;
};

/** A hook of the settings ran. */
type Hook = {
  /** Whether it has begun or ended. */
  phase: HookPhase;
  /** The run of it. */
  hookId?: string;
  /** Its name. */
  hookName?: string;
  /** What it was called for. */
  hookEvent?: string;
  /** What it wrote. */
  stdout?: string;
  /** What it wrote beside that. */
  stderr?: string;
  /** What it gave. */
  output?: string;
  /** Its exit code. */
  exitCode?: number;
  /** `success`, `error` or `cancelled`. */
  outcome?: string;
};

/** The agent calls a hook of the host. */
type HookCallback = {
  /** The name of the question. */
  requestId: string;
  /** The hook. */
  callbackId?: string;
  /** What it is called for. */
  hookEvent?: string;
  /** The call that it is about. */
  toolUseId?: string;
  /** What it is told. */
  input?: Json;
};

/** A hook ran. */
export type HookItem = {
  /** Its name. */
  name: string;
  /** What it was called for. */
  event?: string;
  /** `success`, `error`, `cancelled`; none while it runs. */
  outcome?: string;
  /** Its exit code. */
  exitCode?: number;
  /** What it wrote. */
  output: Clip;
};

/** Whether a hook has begun or ended. */
export type HookPhase = "started" | "progress" | "response";

/** A part of a diff. */
export type Hunk = {
  /** The first line before; 0 where the place is not known. */
  oldStart: number;
  /** Lines before. */
  oldLines: number;
  /** The first line after; 0 where the place is not known. */
  newStart: number;
  /** Lines after. */
  newLines: number;
  /** The lines, each with a space, a minus or a plus in front. */
  lines: Array<string>;
};

/** A picture or a document. */
export type ImageData = {
  /** Its type, for example `image/png`. */
  mediaType: string;
  /** The bytes, in base64; left out where only a reference is known. */
  data?: string;
  /** Where it is on the web. */
  url?: string;
  /** Where it stands in the line, as a JSON pointer. */
  pointer?: string;
  /** How long it is, in bytes. */
  bytes: number;
  /** The record that holds it, if that is not the one that this event was made from. */
  seq?: number;
  /** How many characters of the text stand before it; none if it comes before all of them. */
  after?: number;
};

/** A picture, to be fetched when it is looked at. */
export type ImageRef = {
  /** Its type. */
  mediaType: string;
  /** How long it is, in bytes. */
  bytes: number;
  /** The record that holds it. */
  seq: number;
  /** Where in the record's line its base64 is, as a JSON pointer; empty if it is on the web. */
  pointer: string;
  /** Where it is on the web. */
  url?: string;
  /** How many characters of the message's text stand before it; none if it comes before all of them. */
  after?: number;
};

/** What has become of a prompt. */
export type InputState = "sent"
  | "queued"
  | "consumed"
  | "cancelled"
  | "unconfirmed";

/** One thing that happened. */
export type InsightsEvent = {
  /** Unique in the session. */
  id: string;
  /** The record that it was made from. Only in profile `full`. */
  seq?: number;
  /** The record's time, as ISO 8601. */
  timestamp: string;
  /** Which agent it is about. */
  provider: Provider;
  /** The agent's session. */
  sessionId: string;
  /** The id of the line; that of its entry in the transcript, and of the prompt where it is one. */
  messageUuid?: string;
  /** The subagent that it is about. */
  agentId?: string;
  /** The kind of that subagent. */
  agentType?: string;
  /** What that subagent is to do. */
  agentDescription?: string;
  /** Who began it, if not a person: `task-notification`, `peer`, … */
  origin?: string;
  /** Was it read from the agent's transcript file, and not seen as it happened? */
  imported?: boolean;
  /** What only one provider has and no screen reads; keys like `claude.stopReason`. */
  extensions?: Record<string, unknown>;
  /** The line that it was made from, unchanged; events of one line share it. */
  raw?: unknown;
} & ({ "event": "session_init" } & SessionInit
  | { "event": "session_status" } & SessionStatus
  | { "event": "text" } & Text
  | { "event": "tool_invocation" } & ToolInvocation
  | { "event": "tool_completion" } & ToolCompletion
  | { "event": "subagent_spawn" } & SubagentSpawn
  | { "event": "subagent_complete" } & SubagentComplete
  | { "event": "turn_complete" } & TurnComplete
  | { "event": "context_compaction" } & ContextCompaction
  | { "event": "permission_request" } & PermissionRequest
  | { "event": "stream_delta" } & StreamDelta
  | { "event": "user_input" } & UserInput
  | { "event": "usage_update" } & UsageUpdate
  | { "event": "rate_limit_update" } & RateLimitUpdate
  | { "event": "available_commands" } & AvailableCommands
  | { "event": "permission_cancelled" } & PermissionCancelled
  | { "event": "permission_resolved" } & PermissionResolved
  | { "event": "permission_denied" } & PermissionDenied
  | { "event": "elicitation" } & Elicitation
  | { "event": "elicitation_complete" } & ElicitationComplete
  | { "event": "user_dialog" } & UserDialog
  | { "event": "hook_callback" } & HookCallback
  | { "event": "control_result" } & ControlResult
  | { "event": "control_progress" } & ControlProgress
  | { "event": "control_sent" } & ControlSent
  | { "event": "api_retry" } & ApiRetry
  | { "event": "task" } & Task
  | { "event": "background_tasks" } & BackgroundTasks
  | { "event": "task_list" } & TaskList
  | { "event": "tool_progress" } & ToolProgress
  | { "event": "tool_summary" } & ToolSummary
  | { "event": "hook" } & Hook
  | { "event": "local_command_output" } & LocalCommandOutput
  | { "event": "notice" } & Notice
  | { "event": "model_fallback" } & ModelFallback
  | { "event": "session_state" } & SessionStateWord
  | { "event": "prompt_suggestion" } & PromptSuggestion
  | { "event": "files_persisted" } & FilesPersisted
  | { "event": "memory_recall" } & MemoryRecall
  | { "event": "thinking_progress" } & ThinkingProgress
  | { "event": "auth_status" } & AuthStatus
  | { "event": "goal" } & Goal
  | { "event": "storage_problem" } & StorageProblem
  | { "event": "worker_shutdown" } & WorkerShutdown
  | { "event": "session_metrics" } & SessionMetrics
  | { "event": "process_start" } & ProcessStart
  | { "event": "process_exit" } & ProcessExit
  | { "event": "stderr" } & Stderr
  | { "event": "session_moved" } & SessionMoved
  | { "event": "protocol_error" } & ProtocolError
  | { "event": "unknown_block" } & UnknownBlock
  | { "event": "unknown_message" } & UnknownMessage);

/** One thing in the conversation. */
export type Item = {
  /** Its id. */
  id: string;
  /** Where it stands. */
  order: Order;
  /** The item of the subagent that it belongs to. */
  parent?: string;
  /** When it came. */
  at: UnixMillis;
  /** The record that says most about it, for looking at the raw line. */
  seq: number;
  /** The id of the line that made it, in the stream and in the agent's own file. */
  uuid?: string;
  /** What it is. */
  body: ItemBody;
};

/** What an item is. */
export type ItemBody = { "kind": "user" } & UserItem
  | { "kind": "text" } & TextItem
  | { "kind": "thinking" } & ThinkingItem
  | { "kind": "tool" } & ToolItem
  | { "kind": "agent" } & AgentItem
  | { "kind": "command" } & CommandItem
  | { "kind": "compaction" } & CompactionItem
  | { "kind": "notice" } & NoticeItem
  | { "kind": "error" } & ErrorItem
  | { "kind": "hook" } & HookItem
  | { "kind": "turn" } & TurnItem
  | { "kind": "unknown" } & UnknownItem;

/** A job: a task that runs beside the conversation, or has. */
export type Job = {
  /** The task. */
  id: string;
  /** `local_agent`, `local_bash`, … */
  kind?: string;
  /** What it does. */
  description: string;
  /** The kind of the subagent. */
  agentType?: string;
  /** The call that began it. */
  call?: string;
  /** The task that began it. */
  parent?: string;
  /** How far it is. */
  status: JobStatus;
  /** Does it run in the background? */
  background: boolean;
  /** When it began. */
  startedAt: UnixMillis;
  /** When it ended. */
  endedAt?: UnixMillis;
  /** What came of it. */
  summary?: string;
  /** What went wrong. */
  error?: string;
  /** The file with its output. */
  outputFile?: string;
  /** The tool that it called last. */
  lastTool?: string;
  /** Tokens so far. */
  tokens?: number;
  /** Tool calls so far. */
  toolUses?: number;
};

/** How far a job is. */
export type JobStatus = "running"
  | "completed"
  | "failed"
  | "stopped"
  | "ended"
  | (string & {});

/** The text of one JSON value: a tool's input, a structured result. Key order and number forms are those of the agent. */
export type Json = unknown;

/** A limit of the plan. */
export type Limit = {
  /** How much of it is used, in percent. */
  usedPercent?: number;
  /** When it ends. */
  resetsAt?: UnixMillis;
  /** `allowed`, `allowed_warning` or `rejected`. */
  status?: string;
};

/** A local command has answered. */
type LocalCommandOutput = {
  /** What it said, without tags. */
  text: string;
  /** Did it fail? */
  isError: boolean;
  /** The command, without the slash. */
  command?: string;
  /** What was typed after it. */
  args?: string;
  /** What fills the context, on the answer of `/context`. */
  contextUsage?: ContextUsage;
  /** What the session and the plan have used, on the answer of `/usage`. */
  usageReport?: UsageReport;
};

/** Where an MCP tool comes from. */
export type McpProvenance = {
  /** The server. */
  name: string;
  /** Who configured it. */
  source?: string;
};

/** An MCP server. */
export type McpServer = {
  /** Its name. */
  name: string;
  /** `connected`, `failed`, `needs-auth`, `pending`, `disabled`. */
  status: string;
  /** What went wrong. */
  error?: string;
  /** Where it is configured. */
  source?: string;
  /** Its version. */
  version?: string;
  /** Its tools. */
  tools: Array<string>;
};

/** What an MCP server says of itself. */
export type McpServerInfo = {
  /** Its name. */
  name: string;
  /** Its version. */
  version: string;
};

/** An MCP server. */
export type McpServerStatus = {
  /** Its name. */
  name: string;
  /** Its state. */
  status: McpStatus;
  /** What it says of itself. */
  serverInfo?: McpServerInfo;
  /** Where it is configured: `user`, `project`, `sdk`, … */
  source?: string;
  /** What went wrong. */
  error?: string;
  /** Its tools, where they are listed. */
  tools?: Array<string>;
};

/** The state of an MCP server. */
export type McpStatus = "connected"
  | "failed"
  | "needs-auth"
  | "pending"
  | "disabled"
  | (string & {});

/** Memories were put before the model. */
type MemoryRecall = {
  /** `select` or `synthesize`. */
  mode?: string;
  /** The memories. */
  memories: Array<RecalledMemory>;
};

/** What the session has used. */
export type Meters = {
  /** Dollars of its own turns. */
  costUsd: number;
  /** Dollars of the last turn. */
  lastTurnUsd?: number;
  /** Dollars that were spent before this session took the conversation over; never part of `costUsd`. */
  inheritedUsd: number;
  /** Tokens and dollars of its own turns, by model. */
  models: { [key in string]: ModelTokenUsage };
  /** Tokens of its own turns, all models. */
  tokens: TokenUsage;
  /** Tokens of the last turn's main loop. */
  lastTurnTokens?: TokenUsage;
  /** Turns that have ended. */
  turns: number;
  /** How long they took. */
  durationMs: number;
  /** The context. */
  context: Context;
  /** The limits of the plan, by name. */
  limits: { [key in string]: Limit };
  /** Use beyond the plan, where the agent tells of it. */
  overage?: Overage;
};

/** Another model has taken over, or nobody has. */
type ModelFallback = {
  /** The model that was asked. */
  originalModel?: string;
  /** The one that answers now. */
  fallbackModel?: string;
  /** Why. */
  reason?: string;
  /** What the agent does about a refusal: `retry`. */
  direction?: string;
  /** What the other model is for: `session`, or `local` for this one answer. */
  scope?: string;
  /** The policy that a refusal is about. */
  category?: string;
  /** Why a model refused, in words. */
  explanation?: string;
  /** The prompt that was refused. */
  refusedUserMessageUuid?: string;
  /** What to tell people. */
  text: string;
  /** Lines that do not count any more. */
  retractedUuids: Array<string>;
};

/** A model to choose. */
export type ModelInfo = {
  /** What to ask for. */
  value: string;
  /** Its name for people. */
  displayName: string;
  /** What it is good for. */
  description: string;
  /** How hard it can be made to think. */
  effortLevels?: Array<string>;
  /** The full name of what is asked for. */
  resolved?: string;
  /** Has it a fast mode? */
  fastMode?: boolean;
  /** Can it be used in auto mode? */
  autoMode?: boolean;
  /** Can thinking be turned off? */
  thinkingOff?: boolean;
};

/** Tokens and dollars of one model. */
export type ModelTokenUsage = {
  /** Sent, without those that a cache had. */
  inputTokens: number;
  /** Answered. */
  outputTokens: number;
  /** Sent, and read from the cache. */
  cacheReadTokens?: number;
  /** Sent, and written to the cache. */
  cacheCreationTokens?: number;
  /** Those of them that stay there for five minutes, where the agent tells. */
  cacheCreation5mTokens?: number;
  /** Those of them that stay there for an hour. */
  cacheCreation1hTokens?: number;
  /** Dollars. */
  costUsd?: number;
  /** The size of its context. */
  contextWindow?: number;
  /** Searches of the web. */
  webSearchRequests?: number;
  /** The most that it may answer. */
  maxOutputTokens?: number;
  /** Those of the answered that were thoughts. */
  thinkingTokens?: number;
  /** The id under which the price was looked up. */
  canonicalModel?: string;
  /** Who served it. */
  provider?: string;
  /** Where the price is from; `unknown` when it is a guess. */
  costBasis?: string;
};

/** Where the whole of a text is. */
export type More = {
  /** How long it is, in bytes. */
  bytes: number;
  /** The record that holds it. */
  seq: number;
  /** Where in the record's line, as a JSON pointer with what `place` adds to it; empty for the whole line. */
  pointer: string;
  /** How many bytes of what is there come before the text, if any do. */
  from?: number;
};

/** How a conversation came to go on elsewhere. */
export type MovedHow = "resumed"
  | "forked"
  | "cleared"
  | "imported"
  | "attached"
  | "detached";

/** A remark of the agent for people. */
type Notice = {
  /** Where it is from: `informational`, `notification`, `plugin_install`, … */
  source: string;
  /** How urgent it is. */
  level: NoticeLevel;
  /** The words. */
  text: string;
  /** Of notes with the same key only the last one counts. */
  key?: string;
  /** The call that it is about. */
  toolUseId?: string;
  /** Does the turn end here? */
  preventContinuation?: boolean;
  /** How much it matters, in the agent's own word. */
  priority?: string;
  /** For how long the agent would show it. */
  timeoutMs?: number;
  /** The colour that it would have there. */
  color?: string;
  /** The feature of the agent that it belongs to, in the agent's own word. */
  tag?: string;
};

/** A remark. */
export type NoticeItem = {
  /** How urgent. */
  level: NoticeLevel;
  /** Where it is from. */
  source: string;
  /** The words. */
  text: Clip;
};

/** How urgent a remark is. */
export type NoticeLevel = "info" | "warning" | "error";

/** What the agent says when it is greeted, before the first turn. Each `SessionInit` says it again. */
export type Offered = {
  /** The model in use. */
  model?: string;
  /** The permission mode. */
  permissionMode?: string;
  /** The output style. */
  outputStyle?: string;
  /** Fast mode: `off`, `cooldown` or `on`. */
  fastModeState?: string;
  /** Why fast mode cannot be used. */
  fastModeDisabledReason?: string;
  /** The agent's version. */
  version?: string;
  /** What this version can do. */
  capabilities?: Array<string>;
  /** Who is logged in. */
  account?: AccountInfo;
  /** The models to choose from. */
  availableModels?: Array<ModelInfo>;
  /** The subagents that can be started. */
  agents?: Array<string>;
  /** What they are for. */
  agentKinds?: Array<AgentKind>;
  /** The output styles to choose from. */
  availableOutputStyles?: Array<string>;
};

/** Where an item stands: the record that put it there, and its number among those of that record. */
export type Order = [number, number];

/** Use beyond the plan, which is paid for apart. */
export type Overage = {
  /** Is it being used now? */
  inUse: boolean;
  /** `allowed`, `allowed_warning` or `rejected`. */
  status?: string;
  /** When its limit ends. */
  resetsAt?: UnixMillis;
  /** Why there is none. */
  disabledReason?: string;
};

/** May this tool be used? */
export type PermissionAsk = {
  /** The tool, by its own name. */
  tool: string;
  /** What kind of work it does. Not `kind`: that is which question it is. */
  toolKind: ToolKind;
  /** A heading. */
  title: string;
  /** The call in a few words. */
  description?: string;
  /** The thing itself: the command, the change before it is made, the address. */
  view: ToolView;
  /** The input as JSON text. */
  input: Clip;
  /** Why it asks. */
  reason?: string;
  /** Why it asks, for programs. */
  reasonType?: string;
  /** The path that made it ask. */
  blockedPath?: string;
  /** The rule of the settings that made it ask, as the agent writes it. */
  matchedRule?: string;
  /** Where the MCP server of the tool is configured. */
  mcpSource?: string;
  /** What could be remembered; the number in this list is what an answer chooses. */
  suggestions: Array<Suggestion>;
  /** Is "no" to be preselected? */
  defaultToNo: boolean;
  /** Is nothing to be remembered? */
  suppressAlwaysAllow: boolean;
};

/** A question was withdrawn by whoever asked. */
type PermissionCancelled = {
  /** The question. */
  requestId: string;
};

/** A call that was refused. */
export type PermissionDenial = {
  /** The tool. */
  toolName: string;
  /** The call. */
  toolUseId: string;
  /** Its input. */
  toolInput: Json;
};

/** A tool was refused without asking. */
type PermissionDenied = {
  /** The tool. */
  toolName?: string;
  /** The call. */
  toolUseId?: string;
  /** Why, for programs. */
  reasonType?: string;
  /** Why, for people. */
  reason?: string;
  /** What the model was told. */
  message?: string;
};

/** The agent asks for leave to use a tool. Data only: it is answered elsewhere, by `requestId`. */
type PermissionRequest = {
  /** The name of the question. */
  requestId: string;
  /** The tool. */
  toolName: string;
  /** What kind of work it does. */
  toolKind: ToolKind;
  /** The input. */
  toolInput: Json;
  /** The call. */
  toolUseId?: string;
  /** Why it asks, for people. */
  reason?: string;
  /** The path that made it ask. */
  blockedPath?: string;
  /** What could be remembered. */
  suggestions?: Array<PermissionSuggestion>;
  /** Why it asks, for programs. */
  reasonType?: string;
  /** A heading. */
  title?: string;
  /** The tool's name for people. */
  displayName?: string;
  /** The call in a few words. */
  description?: string;
  /** The MCP server of the tool. */
  mcpServer?: McpProvenance;
  /** May a classifier clear it? */
  classifierApprovable?: boolean;
  /** Is nothing to be remembered? */
  suppressAlwaysAllow?: boolean;
  /** Is "no" to be preselected? */
  defaultToNo?: boolean;
  /** Is the answer given on the card itself, as for questions and plans? */
  requiresUserInteraction?: boolean;
  /** The rule that forces the question. */
  matchedAskRule?: string;
  /** Is it a question of the agent to the user? */
  isQuestion: boolean;
};

/** A question was answered, or nobody is left to answer; or a hook of the host has let a call run, which nobody asked about. */
type PermissionResolved = {
  /** The question. */
  requestId: string;
  /** The call that a hook has let run. */
  toolUseId?: string;
  /** The hook's event, if a hook has. */
  hookEvent?: string;
  /** Was it allowed (or, of an elicitation, accepted)? */
  allowed: boolean;
  /** Who answered. */
  by?: string;
  /** What was said with a refusal, or by a hook. */
  message?: string;
  /** Does a refusal end the turn? */
  interrupt?: boolean;
  /** The input to run with, if the answer changed it. */
  updatedInput?: Json;
  /** What is to be remembered, in words. */
  remembered: Array<string>;
  /** The answer, where it is no permission. */
  response?: Json;
};

/** A rule. */
export type PermissionRule = {
  /** The tool. */
  toolName: string;
  /** What of its input is meant. */
  ruleContent?: string;
};

/** Something that could be remembered. */
export type PermissionSuggestion = {
  /** `addRules`, `addDirectories`, `setMode`, … */
  type: string;
  /** In words, made from the rest. */
  description: string;
  /** The tool, of the first rule. */
  toolName?: string;
  /** The first directory. */
  directory?: string;
  /** The mode. */
  mode?: string;
  /** The rules. */
  rules?: Array<PermissionRule>;
  /** The directories. */
  directories?: Array<string>;
  /** `allow`, `deny` or `ask`. */
  behavior?: string;
  /** Where it is kept: `session`, `localSettings`, … */
  destination?: string;
  /** The suggestion as the agent wrote it, for sending it back. */
  raw: Json;
};

/** A file that was uploaded. */
export type PersistedFile = {
  /** Its name. */
  filename: string;
  /** The id that it got. */
  fileId?: string;
};

/** What a session is doing. */
export type Phase = "asleep"
  | "starting"
  | "idle"
  | "running"
  | "needsYou"
  | "compacting"
  | "retrying"
  | "interrupting"
  | "failed";

/** Is this plan good? */
export type PlanAsk = {
  /** The plan. */
  plan: Clip;
  /** The file that it is in. */
  path?: string;
  /** What could be remembered with a yes. */
  suggestions: Array<Suggestion>;
};

/** A plugin. */
export type PluginInfo = {
  /** Its name. */
  name: string;
  /** Where it is. */
  path?: string;
  /** Its version. */
  version?: string;
};

/** The agent's process has ended. */
type ProcessExit = {
  /** Its exit code. */
  code?: number;
  /** The signal that ended it. */
  signal?: number;
  /** Was it told to end? */
  expected: boolean;
  /** Did nobody see how it ended, since its keeper died too? */
  lost: boolean;
  /** The last lines of its stderr. */
  stderrTail: Array<string>;
};

/** The agent's process was started. */
type ProcessStart = {
  /** The program. */
  program: string;
  /** Its arguments. */
  argv: Array<string>;
  /** Its working directory. */
  cwd: string;
  /** The agent's version. */
  version?: string;
  /** The process. */
  pid?: number;
};

/** What the user might ask next. */
type PromptSuggestion = {
  /** The words. */
  suggestion: string;
};

/** A line that is no message. */
type ProtocolError = {
  /** What is wrong with it. */
  error: string;
  /** Its beginning. */
  line: string;
};

/** Which agent an event is about. */
export type Provider = "claude" | "codex" | "gemini" | "acp";

/** A question with its options. */
export type Question = {
  /** The question. */
  question: string;
  /** A short name for it. */
  header?: string;
  /** May several options be chosen? */
  multiSelect: boolean;
  /** The options; another answer may be typed. */
  options: Array<QuestionOption>;
};

/** What would you like? */
export type QuestionAsk = {
  /** The questions. */
  questions: Array<Question>;
};

/** An option of a question. */
export type QuestionOption = {
  /** What is chosen. */
  label: string;
  /** What it means. */
  description?: string;
  /** How it would look. */
  preview?: Clip;
};

/** A prompt that the agent has not taken yet. */
export type Queued = {
  /** Its uuid. */
  id: string;
  /** The words. */
  text: Clip;
  /** The pictures. */
  images: Array<ImageRef>;
  /** When it was sent. */
  at: UnixMillis;
  /** Which person or device sent it. */
  by?: string;
  /** The sender's own id of it. */
  clientId?: string;
  /** What is known of it. */
  state: QueuedState;
  /** The record that holds it. */
  seq: number;
};

/** What is known of a prompt that the agent has not taken yet. */
export type QueuedState = "sent"
  | "queued"
  | "unconfirmed";

/** The limits of the plan. */
type RateLimitUpdate = {
  /** The nearest window. */
  primary?: RateLimitWindow;
  /** Another one. */
  secondary?: RateLimitWindow;
  /** All windows that were told, by their name. */
  windows: { [key in string]: RateLimitWindow };
  /** May requests be made: `allowed`, `allowed_warning` or `rejected`? */
  status?: string;
  /** When the limit ends. */
  resetsAt?: UnixMillis;
  /** Which limit it is: `five_hour`, `seven_day`, … */
  limitType?: string;
  /** How much of it is used, 0 to 1. */
  utilization?: number;
  /** The same for use beyond the plan. */
  overageStatus?: string;
  /** When that limit ends. */
  overageResetsAt?: UnixMillis;
  /** Why there is no use beyond the plan. */
  overageDisabledReason?: string;
  /** Are requests being made beyond the plan? */
  isUsingOverage?: boolean;
  /** The mark that was passed, 0 to 1. */
  surpassedThreshold?: number;
  /** What shares the limit. */
  limitScope?: string;
  /** What to do about it, for programs. */
  errorCode?: string;
};

/** A window of the plan. */
export type RateLimitWindow = {
  /** How much of it is used, in percent. */
  usedPercent: number;
  /** How long it is. */
  windowDurationMins?: number;
  /** When it ends. */
  resetsAt?: UnixMillis;
  /** May requests be made? */
  status?: string;
};

/** A memory that was put before the model. */
export type RecalledMemory = {
  /** Where it is from: a file, or a name for a text that was made out of many. */
  path?: string;
  /** Whose it is: `personal`, `team` or `organization`. */
  scope?: string;
  /** What it says, where that cannot be read in the file. */
  content?: string;
};

/** Something that an MCP server has, by its address. */
export type ResourceLink = {
  /** Its address. */
  uri: string;
  /** Its name. */
  name?: string;
  /** Its name for people. */
  title?: string;
  /** What it is. */
  description?: string;
  /** Its media type. */
  mimeType?: string;
  /** Its size in bytes. */
  size?: number;
  /** The server that has it. */
  server?: string;
};

/** A call of the model that failed and will be made again. */
export type Retry = {
  /** The number of the try. */
  attempt: number;
  /** How many there may be. */
  max?: number;
  /** When it is made. */
  at: UnixMillis;
  /** What went wrong, in words. */
  error: string;
};

/** The session as it is now. Each turn begins with one, which refreshes what the one before said. */
type SessionInit = {
  /** The model in use. */
  model?: string;
  /** How hard the model is to think, where the agent says so. */
  reasoningEffort?: string;
  /** The working directory. */
  cwd?: string;
  /** The tools. */
  availableTools?: Array<string>;
  /** The MCP servers. */
  mcpServers?: Array<McpServerStatus>;
  /** The permission mode. */
  permissionMode?: string;
  /** Who is logged in. */
  account?: AccountInfo;
  /** The slash commands. */
  slashCommands?: Array<SlashCommand>;
  /** The models to choose from. */
  availableModels?: Array<ModelInfo>;
  /** The agent's version. */
  version?: string;
  /** The subagents that can be started. */
  agents?: Array<string>;
  /** What they are for, where the agent says it. */
  agentKinds?: Array<AgentKind>;
  /** The skills. */
  skills?: Array<string>;
  /** The plugins. */
  plugins?: Array<PluginInfo>;
  /** What went wrong with plugins. */
  pluginErrors?: Array<string>;
  /** The output style. */
  outputStyle?: string;
  /** The output styles to choose from. */
  availableOutputStyles?: Array<string>;
  /** Fast mode: `off`, `cooldown` or `on`. */
  fastModeState?: string;
  /** Why fast mode cannot be used. */
  fastModeDisabledReason?: string;
  /** What this version can do. */
  capabilities?: Array<string>;
  /** What is tried out in the API. */
  betas?: Array<string>;
  /** Commands that need a terminal. */
  terminalSlashCommands?: Array<string>;
  /** How much of the conversation the agent's own screen shows. */
  viewMode?: string;
  /** Where the API key is from, as the agent reports it. */
  apiKeySource?: string;
  /** Other folders that the agent may work in. */
  additionalDirectories?: Array<string>;
  /** The prompts that the turn begins with, where the agent names them. */
  userMessageUuids?: Array<string>;
  /** Is this the first of the session, and not a refresh? */
  isFirst: boolean;
};

/** What the session has used so far: derived with each turn's end. */
type SessionMetrics = {
  /** Dollars of this session's own turns. */
  costUsd: number;
  /** Dollars of the last turn. */
  turnCostUsd: number;
  /** Dollars that were spent before this session took the conversation over; not part of `cost_usd`. */
  inheritedCostUsd: number;
  /** Tokens of this session's own turns. */
  tokens: TokenUsage;
  /** The same by model. */
  perModel: { [key in string]: ModelTokenUsage };
  /** Tokens in the context. */
  contextUsed?: number;
  /** Tokens that fit into it. */
  contextMax?: number;
  /** How full it is, in percent. */
  contextPercent?: number;
  /** How often the context was summed up. */
  compactions: number;
  /** Turns that have ended. */
  turns: number;
};

/** The conversation goes on under another id, or in another process. */
type SessionMoved = {
  /** How. */
  how: MovedHow;
  /** The id before. */
  from?: string;
  /** The id now. */
  to?: string;
};

/** Does the session work, wait or need an answer? */
type SessionStateWord = {
  /** `idle`, `running` or `requires_action`. */
  state: string;
};

/** What the agent is busy with, and what else changed with it. */
type SessionStatus = {
  /** What it is busy with. */
  status: SessionStatusWord;
  /** More about it. */
  message?: string;
  /** The permission mode that is in force from now on. */
  permissionMode?: string;
  /** How a compaction ended: `success` or `failed`. */
  compactResult?: string;
  /** Why it failed. */
  compactError?: string;
  /** The session's new title. */
  title?: string;
  /** The working directory, where a transcript tells it. */
  cwd?: string;
  /** The agent's version, where a transcript tells it. */
  version?: string;
};

/** What an agent is busy with. */
export type SessionStatusWord = "compacting"
  | "resuming"
  | "interrupted"
  | "ended"
  | "error"
  | "requesting"
  | "idle"
  | (string & {});

/** Settings that a request of the host has changed, as it asked for them. */
export type SettingsChanged = {
  /** How hard the model is to think. */
  effort?: string;
  /** Fast mode: `off` or `on`. */
  fastMode?: string;
  /** Thinking: `off`, `on`, or the most tokens of it. */
  thinking?: string;
  /** The MCP server that was switched on or off … */
  mcpServer?: string;
  /** … and which of them. */
  mcpEnabled?: boolean;
};

/** A slash command. */
export type SlashCommand = {
  /** Its name, without the slash. */
  name: string;
  /** What it does. */
  description: string;
  /** What may follow it. */
  argumentHint: string;
  /** Other names of it. */
  aliases?: Array<string>;
};

/** What is so now. */
export type State = {
  /** The oldest place that is held; what stands before it is elsewhere. */
  floor: Order;
  /** What the session is doing. */
  status: Status;
  /** What it has used. */
  meters: Meters;
  /** What can be used. */
  catalog: Catalog;
  /** The things to do. */
  tasks: Array<TodoTask>;
  /** Work beside the conversation. */
  jobs: Array<Job>;
  /** The MCP servers. */
  mcp: Array<McpServer>;
  /** The prompts that the agent has not taken yet. */
  queue: Array<Queued>;
  /** The questions that are open. */
  asks: Array<Ask>;
  /** The conversation. */
  items: Array<Item>;
};

/** What the session is doing, and as what. */
export type Status = {
  /** What it is doing, for programs. */
  phase: Phase;
  /** What it is doing, in words. */
  words: string;
  /** Since when. */
  since: UnixMillis;
  /** The turn that runs. */
  turn?: TurnClock;
  /** Is the context being summed up? */
  compacting: boolean;
  /** The model. */
  model?: string;
  /** The permission mode. */
  mode?: string;
  /** How hard the model is to think. */
  effort?: string;
  /** Thinking, where somebody has set it: `off`, `on`, or the most tokens of it. */
  thinking?: string;
  /** Fast mode: `off`, `cooldown` or `on`. */
  fastMode?: string;
  /** Why fast mode cannot be used. */
  fastModeDisabledReason?: string;
  /** The output style. */
  outputStyle?: string;
  /** Where the API key is from, as the agent reports it. */
  apiKeySource?: string;
  /** The agent's session. */
  sessionId?: string;
  /** Its ids before, the last few. */
  earlierSessionIds: Array<string>;
  /** The working directory. */
  cwd?: string;
  /** The session's title. */
  title?: string;
  /** The agent's version. */
  version?: string;
  /** The agent's process. */
  agent: AgentProcess;
  /** How the agent's process ended, if it did not end well. */
  exit?: Exit;
  /** What the user might ask next. */
  suggestion?: string;
  /** The goal of the session. */
  goal?: string;
  /** The login that goes on. */
  login?: string;
  /** What was granted for the session only, and lost with its process, in words. */
  lostGrants: Array<string>;
};

/** The agent wrote to its stderr. */
type Stderr = {
  /** The line. */
  text: string;
};

/** Something could not be kept. */
type StorageProblem = {
  /** `mirror_error` or `writes_lost`. */
  kind: string;
  /** What went wrong. */
  error?: string;
  /** What is lost. */
  lost?: Array<string>;
  /** The sessions whose transcripts have gaps. */
  sessionIds?: Array<string>;
};

/** A piece of an answer. */
type StreamDelta = {
  /** What the piece is. */
  kind: StreamDeltaKind;
  /** Text to append. */
  textDelta?: string;
  /** JSON text to append. */
  jsonDelta?: string;
  /** The number of the block in its message. */
  blockIndex?: number;
  /** The call, of a tool's block. */
  callId?: string;
  /** The call whose subagent speaks. */
  parentCallId?: string;
  /** The message. */
  messageId?: string;
  /** What a block that begins is: `text`, `thinking`, `tool_use`, … */
  blockType?: BlockType;
  /** The tool, of a tool's block that begins. */
  toolName?: string;
  /** Blocks from this one on were given up: a new message will come in their place. */
  abandonedFrom?: number;
  /** How long until the first token. */
  ttftMs?: number;
};

/** What a piece is. */
export type StreamDeltaKind = "text"
  | "thinking"
  | "toolInput"
  | "messageStart"
  | "messageStop"
  | "blockStart"
  | "blockStop"
  | "signature"
  | "citations"
  | (string & {});

/** A subagent has ended. */
type SubagentComplete = {
  /** The call that started it. */
  callId: string;
  /** The subagent, for going on with it. */
  agentId?: string;
  /** `completed`, `failed`, `stopped`, … */
  status?: string;
  /** Its last words. */
  summary?: string;
  /** How long it took. */
  totalDurationMs?: number;
  /** Tokens that it used. */
  totalTokens?: number;
  /** Tools that it called. */
  totalToolUseCount?: number;
  /** Tokens in detail. */
  usage?: TokenUsage;
  /** The model that it ran on. */
  resolvedModel?: string;
  /** The file with what it said, if it ran in the background. */
  outputFile?: string;
};

/** A subagent was started. */
type SubagentSpawn = {
  /** The call that started it. */
  callId: string;
  /** The call whose subagent started it. */
  parentCallId?: string;
  /** What kind it is. */
  agentType?: string;
  /** What it is to do. */
  description?: string;
  /** Does it go on with earlier work? */
  isResume: boolean;
  /** Whose work that is. */
  resumeAgentId?: string;
  /** The model that it is to use. */
  model?: string;
  /** Is it to run in the background? Where the call does not say, nobody knows yet. */
  background?: boolean;
  /** What it is told. */
  prompt?: string;
  /** Where it works, if apart. */
  isolation?: string;
  /** The place of the call among the blocks of its line, where that is not the first. */
  lineBlock?: number;
};

/** Something that could be remembered. */
export type Suggestion = {
  /** `addRules`, `addDirectories`, `setMode`, … */
  type: string;
  /** In words. */
  label: string;
  /** The rules, as the agent writes them: `Bash(git show *)`. */
  rules: Array<string>;
  /** The directories. */
  directories: Array<string>;
  /** The mode. */
  mode?: string;
  /** `allow`, `deny` or `ask`. */
  behavior?: string;
  /** Where it is kept. */
  destination?: string;
};

/** A task has begun, gone on, or ended: a subagent, or a command that takes long. */
type Task = {
  /** Which of these. */
  phase: TaskPhase;
  /** The task; of a subagent also its `agentId`. */
  taskId: string;
  /** The run of it. */
  runId?: string;
  /** The call that began it. */
  toolUseId?: string;
  /** `local_agent`, `local_bash`, … */
  taskType?: string;
  /** The kind of the subagent. */
  agentType?: string;
  /** What it does. */
  description?: string;
  /** What came of it. */
  summary?: string;
  /** `running`, `completed`, `failed`, `stopped`, … */
  status?: string;
  /** Does it run in the background? */
  isBackgrounded?: boolean;
  /** The task that began it. */
  parentTaskId?: string;
  /** How deep a subagent is nested; 1 for one of the main agent. */
  spawnDepth?: number;
  /** The workflow that it is. */
  workflowName?: string;
  /** What it was told. */
  prompt?: string;
  /** The tool that it called last. */
  lastToolName?: string;
  /** Tokens so far. */
  totalTokens?: number;
  /** Tool calls so far. */
  toolUses?: number;
  /** Milliseconds so far. */
  durationMs?: number;
  /** When it ended. */
  endTime?: UnixMillis;
  /** What went wrong. */
  error?: string;
  /** The file with its output. */
  outputFile?: string;
  /** What a task of an MCP server gave. */
  resourceLinks?: Array<ResourceLink>;
  /** Is it none of the user's business? */
  ambient?: boolean;
};

/** The agent's list of things to do, all of it. */
type TaskList = {
  /** The things to do. */
  tasks: Array<TodoTask>;
};

/** What is told of a task. */
export type TaskPhase = "started"
  | "progress"
  | "updated"
  | "notification";

/** A whole block of text or of thinking. */
type Text = {
  /** The text; empty when thinking is not shown. */
  text: string;
  /** What kind of words. */
  kind: TextKind;
  /** The call whose subagent speaks. */
  parentCallId?: string;
  /** The model. */
  model?: string;
  /** The message; its blocks share it. */
  messageId?: string;
  /** The number of the block in its message. */
  blockIndex?: number;
  /** Its place among the blocks of its line, where that is not the first. */
  lineBlock?: number;
  /** What went wrong with the call of the model that these words stand for. */
  error?: string;
  /** The HTTP status of that failure. */
  errorStatus?: number;
  /** Was the answer cut off here? */
  aborted?: boolean;
  /** Lines that this one takes the place of. */
  supersedes?: Array<string>;
  /** Did the agent write this itself, instead of the model? */
  isSynthetic?: boolean;
  /** Who else speaks in the user's name: `compaction` for a summary, `hook` and the like. */
  role?: TextRole;
  /** How long the model thought. */
  thinkingDurationMs?: number;
};

/** A text of the answer. */
export type TextItem = {
  /** The words. */
  text: Clip;
  /** Is it whole? While it is not, it grows. */
  done: boolean;
  /** Was it cut off? */
  aborted: boolean;
  /** The model. */
  model?: string;
};

/** What kind of words. */
export type TextKind = "text" | "thinking" | "plan" | "error";

/** In whose name the agent itself speaks. */
export type TextRole = "compactionSummary"
  | "feedback"
  | "replay"
  | "localCommand";

/** A thought. */
export type ThinkingItem = {
  /** The words; empty when they are not shown. */
  text: Clip;
  /** Is it whole? */
  done: boolean;
  /** How long it took. */
  durationMs?: number;
  /** A guess at its tokens so far. */
  tokens?: number;
};

/** The model thinks. */
type ThinkingProgress = {
  /** A guess at the tokens so far. */
  estimatedTokens: number;
  /** What is new of them. */
  delta?: number;
};

/** How far a thing to do is. */
export type TodoStatus = "pending"
  | "in_progress"
  | "completed"
  | (string & {});

/** A thing to do. */
export type TodoTask = {
  /** Its number, or its place in a list without numbers. */
  id: string;
  /** What is to be done. */
  subject: string;
  /** More about it. */
  description?: string;
  /** How far it is. */
  status: TodoStatus;
  /** What to say while it is being done. */
  activeForm?: string;
  /** Who does it. */
  owner?: string;
  /** What waits for it. */
  blocks: Array<string>;
  /** What it waits for. */
  blockedBy: Array<string>;
};

/** Tokens. */
export type TokenUsage = {
  /** Sent, without those that a cache had. */
  inputTokens: number;
  /** Answered. */
  outputTokens: number;
  /** Sent, and read from the cache. */
  cacheReadTokens?: number;
  /** Sent, and written to the cache. */
  cacheCreationTokens?: number;
};

/** How a tool call ended. */
export type ToolCallStatus = "completed" | "failed" | "cancelled";

/** A tool has ended. */
type ToolCompletion = {
  /** The call. */
  callId: string;
  /** The call whose subagent it is of. */
  parentCallId?: string;
  /** The tool, where its call was seen. */
  toolName?: string;
  /** How it ended. */
  status: ToolCallStatus;
  /** The structured result, else what the model reads. */
  output?: Json;
  /** Did it fail, or was it refused? */
  isError: boolean;
  /** What the model reads, as text. */
  content?: string;
  /** The pictures in it. */
  images: Array<ImageData>;
  /** What went wrong, without tags. */
  errorText?: string;
  /** The exit code of a command. */
  exitCode?: number;
  /** Is `output` shared with other results of the same line? */
  isShared?: boolean;
  /** Who allowed or refused it: `config`, `user_temporary`, `hook`, … */
  decidedBy?: string;
  /** Why it was not run at all: `user-rejected`, `permission-rule`, … */
  notRun?: string;
  /** Where `output` stands in the line, as a JSON pointer. */
  outputPointer?: string;
  /** The task as which the subagent that it has started goes on. */
  runsOnAs?: string;
  /** The number of the block in its line. */
  blockIndex: number;
  /** The paths that were changed. */
  locations?: Array<string>;
};

/** The agent calls a tool. */
type ToolInvocation = {
  /** Pairs with the completion. */
  callId: string;
  /** The call whose subagent this one is of. */
  parentCallId?: string;
  /** What kind of work it is. */
  kind: ToolKind;
  /** The tool, by its own name. */
  toolName: string;
  /** A name for people. */
  title?: string;
  /** The input, as the model wrote it. */
  input: Json;
  /** The paths that it is about. */
  locations?: Array<string>;
  /** The model. */
  model?: string;
  /** The message. */
  messageId?: string;
  /** The number of the block in its message. */
  blockIndex?: number;
  /** Its place among the blocks of its line, where that is not the first. */
  lineBlock?: number;
  /** The MCP server, of a tool that has one. */
  mcpServer?: string;
  /** The tool's name there. */
  mcpTool?: string;
  /** Is it to run in the background? */
  runInBackground?: boolean;
};

/** A call of a tool. */
export type ToolItem = {
  /** The tool, by its own name. */
  name: string;
  /** What kind of work it does. Not `kind`: that is which item it is. */
  toolKind: ToolKind;
  /** A line for people: the description, the path, the pattern. */
  title: string;
  /** How far it is. */
  status: ToolStatus;
  /** The input as JSON text, as the model wrote it; grows while it is written. */
  input: Clip;
  /** What the tool does and gave, by kind. */
  view: ToolView;
  /** The pictures in the result. */
  images: Array<ImageRef>;
  /** How many more there are, for which there was no room. */
  moreImages?: number;
  /** What went wrong. */
  error?: Clip;
  /** The paths that it is about. */
  locations: Array<string>;
  /** Who decided about it. */
  decision?: Decision;
  /** How long it has run, as the agent says. */
  elapsedSeconds?: number;
  /** When it ended. */
  endedAt?: UnixMillis;
  /** The task, if it runs in the background or takes long. */
  taskId?: string;
  /** A few words about what it did. */
  summary?: string;
};

/** What kind of work a tool does. */
export type ToolKind = "execute"
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "fetch"
  | "browse"
  | "think"
  | "ask"
  | "memory"
  | "mcp"
  | "other";

/** A tool still runs. */
type ToolProgress = {
  /** The call. */
  callId: string;
  /** The tool. */
  toolName?: string;
  /** The call whose subagent it is of. */
  parentCallId?: string;
  /** How long it has run. */
  elapsedSeconds: number;
  /** Its task, where it has one. */
  taskId?: string;
  /** Is this a mere sign of life? */
  heartbeat?: boolean;
  /** Why a subagent waits: its call of the model failed and will be made again. */
  retry?: string;
};

/** How far a call is. */
export type ToolStatus = "writing"
  | "waiting"
  | "running"
  | "background"
  | "completed"
  | "failed"
  | "denied"
  | "cancelled"
  | "ended";

/** A few words about tool calls that have ended. */
type ToolSummary = {
  /** The words. */
  summary: string;
  /** The calls. */
  callIds: Array<string>;
};

/** What a tool does and gave, by kind. */
export type ToolView = {
  "view": "command";
  /** The command. */
  command: Clip;
  /** What it is for. */
  description?: string;
  /** What it wrote. */
  output: Clip;
  /** Its exit code. */
  exitCode?: number;
  /** Was it cut off? */
  interrupted: boolean;
  /** Does it run in the background? */
  background: boolean;
}
  | {
  "view": "read";
  /** The file. */
  path: string;
  /** What is in it. */
  content: Clip;
  /** The first line that was read. */
  startLine?: number;
  /** Lines that were read. */
  lines?: number;
  /** Lines that there are. */
  totalLines?: number;
}
  | {
  "view": "edit";
  /** The change. */
  diff: Diff;
  /** The whole new content, of a file that is written. */
  content?: Clip;
}
  | {
  "view": "search";
  /** What is looked for. */
  pattern: string;
  /** Where. */
  path?: string;
  /** What was found. */
  output: Clip;
  /** How much was found. */
  count?: number;
  /** Was more found than is shown? */
  truncated: boolean;
}
  | {
  "view": "fetch";
  /** Its address. */
  url: Clip;
  /** What was asked about it. */
  prompt?: string;
  /** What came of it. */
  output: Clip;
  /** The HTTP status. */
  code?: number;
}
  | {
  "view": "webSearch";
  /** What was searched for. */
  query: string;
  /** The pages that were found. */
  hits: Array<WebHit>;
  /** What came of it. */
  output: Clip;
}
  | {
  "view": "todo";
  /** The list after the call, or the things that the call is about. */
  todos: Array<TodoTask>;
}
  | {
  "view": "notebook";
  /** The notebook. */
  path: string;
  /** The cell. */
  cellId?: string;
  /** `code` or `markdown`. */
  cellType?: string;
  /** `replace`, `insert` or `delete`. */
  editMode?: string;
  /** The language of the code. */
  language?: string;
  /** What is written into it. */
  source: Clip;
  /** What was in it. */
  oldSource?: Clip;
}
  | {
  "view": "question";
  /** The questions. */
  questions: Array<Question>;
  /** The answers, by question. */
  answers: { [key in string]: Array<string> };
  /** What was noted beside them, by question. */
  notes: { [key in string]: string };
}
  | {
  "view": "plan";
  /** The plan. */
  plan: Clip;
  /** The file that it is in. */
  path?: string;
}
  | {
  "view": "skill";
  /** Its name. */
  skill: string;
  /** What it was told. */
  args?: string;
  /** What it gave. */
  output: Clip;
}
  | {
  "view": "mcp";
  /** The server. */
  server: string;
  /** The tool. */
  tool: string;
  /** What it gave, as text. */
  output: Clip;
}
  | {
  "view": "other";
  /** What it gave, as text. */
  output: Clip;
};

/** A turn that runs. */
export type TurnClock = {
  /** When it began. */
  startedAt: UnixMillis;
  /** Where its items begin. */
  fromSeq: number;
  /** The prompts that it answers. */
  prompts: Array<string>;
  /** A call of the model that failed and will be made again. */
  retry?: Retry;
  /** Was an interrupt asked for? */
  interrupting: boolean;
  /** The block that the main agent is writing. */
  block?: string;
  /** The calls of the main agent that have begun and not ended. */
  calls: Array<string>;
};

/** A turn has ended. */
type TurnComplete = {
  /** Did it end in an error, in the way of any version? An interrupt is none. */
  isError: boolean;
  /** `success`, `error_max_turns`, … */
  subtype?: string;
  /** What went wrong. */
  errors?: Array<string>;
  /** The last text. */
  result?: string;
  /** Dollars: the agent's running total. */
  costUsd?: number;
  /** Dollars of this turn. */
  turnCostUsd?: number;
  /** Dollars that the running total held before the session's first turn. */
  inheritedCostUsd?: number;
  /** How long the turn took. */
  durationMs?: number;
  /** How long the model took: a running total. */
  durationApiMs?: number;
  /** Messages that the turn added in the user's role, plus one. */
  numTurns?: number;
  /** Tokens of this turn's main loop. */
  usage?: TokenUsage;
  /** Tokens and dollars by model: running totals. */
  modelUsage?: { [key in string]: ModelTokenUsage };
  /** The same for this turn alone. */
  turnModelUsage?: { [key in string]: ModelTokenUsage };
  /** Calls that were refused. */
  permissionDenials?: Array<PermissionDenial>;
  /** Why the model stopped. */
  stopReason?: string;
  /** Why the loop of model and tools ended. */
  terminalReason?: string;
  /** The HTTP status of the failure that ended the turn. */
  apiErrorStatus?: number;
  /** What the model gave for a schema. */
  structuredOutput?: Json;
  /** A call that was put off. */
  deferredToolUse?: Json;
  /** Prompts that still wait. */
  queuedTurnCount?: number;
  /** The number of this result in its process. */
  resultIndex?: number;
  /** How long until the first token. */
  ttftMs?: number;
  /** The local command that ran instead of a turn. */
  localCommand?: string;
  /** Why the agent could not start. */
  startupFailureReason?: string;
  /** Fast mode. */
  fastModeState?: string;
  /** When the login ends for good. */
  credentialExpiresAt?: string;
  /** Was the turn cut off by an interrupt? */
  isInterrupted: boolean;
  /** The prompts that it answers, where the agent or the order tells. */
  promptUuids: Array<string>;
};

/** A turn has ended. */
export type TurnItem = {
  /** How. */
  outcome: TurnOutcome;
  /** In words, if not well. */
  message?: string;
  /** The prompts that it answered. */
  prompts: Array<string>;
  /** Who began it, if not a prompt: `task-notification`, … */
  origin?: string;
  /** How long it took. */
  durationMs?: number;
  /** Dollars. */
  costUsd?: number;
  /** Tokens of the main loop. */
  usage?: TokenUsage;
  /** Tokens in the context when it ended. */
  contextTokens?: number;
  /** Tokens and dollars by model. */
  models: { [key in string]: ModelTokenUsage };
  /** Tools that were called, subagents' included. */
  toolCalls: number;
  /** Files that were changed. */
  files: Array<FileChange>;
  /** Calls that were refused. */
  denials: Array<Denial>;
  /** What the model gave for a schema, as JSON text. */
  structuredOutput?: Clip;
};

/** How a turn ended. */
export type TurnOutcome = "completed"
  | "interrupted"
  | "failed"
  | "maxTurns"
  | "maxBudget"
  | "command";

/** A moment, as milliseconds since 1970 (UTC). */
export type UnixMillis = number;

/** A block of a kind that we do not know. */
type UnknownBlock = {
  /** The message. */
  messageId?: string;
  /** The number of the block in its message. */
  blockIndex: number;
  /** Its type. */
  blockType: string;
  /** The call whose subagent speaks. */
  parentCallId?: string;
  /** The block itself. */
  block: Json;
};

/** A message that we do not know. */
export type UnknownItem = {
  /** Its type, with its subtype. */
  messageType: string;
  /** What is known of it, in words. */
  text: string;
};

/** A message of a kind that we do not know. */
type UnknownMessage = {
  /** Its type. */
  messageType: string;
  /** Its subtype. */
  subtype?: string;
  /** The way it went, if not from the agent. */
  direction?: string;
};

/** A meter of the plan. */
export type UsageLimit = {
  /** Which one: `session`, `weekly_all`, … */
  kind?: string;
  /** The group to show it in. */
  group?: string;
  /** How much of it is used, in percent. */
  usedPercent?: number;
  /** When it begins anew. */
  resetsAt?: UnixMillis;
  /** The model that it is for, if not for all, by its name for people. */
  model?: string;
  /** The product that it is for, in the same way. */
  surface?: string;
  /** How bad it is: `normal`, `critical`, … */
  severity?: string;
  /** Is it the one to show where there is room for one only? */
  isActive?: boolean;
};

/** What the session and the plan have used, as the agent itself counts it. */
export type UsageReport = {
  /** Dollars of the session, an estimate. */
  costUsd?: number;
  /** How long the session has taken. */
  durationMs?: number;
  /** How long the model took of that. */
  durationApiMs?: number;
  /** Lines of files that were added. */
  linesAdded?: number;
  /** Lines of files that were removed. */
  linesRemoved?: number;
  /** Tokens and dollars of the session, by model. */
  modelUsage?: { [key in string]: ModelTokenUsage };
  /** The meters of the plan, in the agent's order; none where the plan could not be asked. */
  limits?: Array<UsageLimit>;
  /** What may be used beyond the plan. */
  extraUsage?: ExtraUsage;
};

/** What one call of the model used. */
type UsageUpdate = {
  /** The counts as the agent gives them, not added up. */
  stepUsage: Json;
  /** The call whose subagent it is of: such figures say nothing of the main context. */
  parentCallId?: string;
  /** The message; its lines repeat the figures. */
  messageId?: string;
  /** Tokens in the main context, where these figures tell. */
  contextTokens?: number;
  /** The model. */
  model?: string;
};

/** The agent wants a dialog shown. */
type UserDialog = {
  /** The name of the question. */
  requestId: string;
  /** Which dialog. */
  dialogKind?: string;
  /** What it is about. */
  payload?: Json;
  /** The call that it is about. */
  toolUseId?: string;
};

/** Something was said to the agent, or would be. */
type UserInput = {
  /** The text. */
  text: string;
  /** The pictures and documents. */
  images: Array<ImageData>;
  /** Did nobody type it? */
  isSynthetic: boolean;
  /** What has become of it. */
  state: InputState;
  /** The subagent that it was said to. */
  parentCallId?: string;
  /** Which person or device sent it. */
  by?: string;
  /** The sender's own id of it. */
  clientId?: string;
  /** When it is to run: `now`, `next` or `later`. */
  priority?: string;
  /** Is it the mark that an interrupt leaves? */
  isInterrupt?: boolean;
};

/** Something was said to the agent. */
export type UserItem = {
  /** The words. */
  text: Clip;
  /** The pictures. */
  images: Array<ImageRef>;
  /** How many more there are, for which there was no room. */
  moreImages?: number;
  /** Which person or device sent it. */
  by?: string;
  /** Who speaks. */
  role: UserRole;
};

/** Who speaks to the agent. */
export type UserRole = "person" | "agent" | "system" | "interrupt";

/** A page that a search found. */
export type WebHit = {
  /** Its title. */
  title: string;
  /** Its address. */
  url: string;
};

/** The agent's process will end. */
type WorkerShutdown = {
  /** Why. */
  reason?: string;
};

/** The event with this discriminator. */
export type EventOf<Name extends InsightsEvent["event"]> = Extract<InsightsEvent, { event: Name }>;
