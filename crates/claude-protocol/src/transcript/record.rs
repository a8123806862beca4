//! Entries beside the tree: the queue, titles, totals, checkpoints, and the CLI's own books.

use std::collections::BTreeMap;

use super::record_entry;
use crate::ids::{SessionId, Uuid};
use crate::permission::PermissionMode;
use crate::raw::Raw;
use crate::usage::ModelUsage;

record_entry! {
    /// A prompt went into the queue or out of it.
    pub struct QueueOperation {
        /// What was done.
        pub operation: Option<QueueVerb>,
        /// The prompt; not for what the host sent.
        pub content: Option<String>,
        /// Why it was taken out, for example `absorbed_mid_turn`: it was folded into the running turn (2.1.325).
        pub reason: Option<String>,
        /// The prompt's id (2.1.325).
        pub command_uuid: Option<Uuid> = "commandUuid",
        /// An id of this delivery, also in the attachment that it became (2.1.325).
        pub delivery_id: Option<String> = "deliveryId",
    }

    /// The last prompt and the live end of the tree. The last such entry of a file counts (2.1.325).
    pub struct LastPrompt {
        /// The prompt, shortened.
        pub last_prompt: Option<String> = "lastPrompt",
        /// The entry at the live end.
        pub leaf_uuid: Option<Uuid> = "leafUuid",
        /// Was it set by hand?
        pub explicit: Option<bool>,
        /// Was the conversation rewound?
        pub rewound: Option<bool>,
        /// The first entry that the rewind cut off.
        pub cut_uuid: Option<Uuid> = "cutUuid",
    }

    /// The session's mode, not that of permissions (2.1.325).
    pub struct Mode {
        /// `normal`, …
        pub mode: Option<String>,
    }

    /// The permission mode (not measured).
    pub struct PermissionModeEntry {
        /// The mode.
        pub permission_mode: Option<PermissionMode> = "permissionMode",
    }

    /// Running totals of the session (2.1.325).
    pub struct CostState {
        /// US dollars.
        pub total_cost_usd: Option<f64> = "totalCostUSD",
        /// Milliseconds in calls of the API.
        pub total_api_duration: Option<f64> = "totalAPIDuration",
        /// The same without what was tried again.
        pub total_api_duration_without_retries: Option<f64> = "totalAPIDurationWithoutRetries",
        /// Milliseconds in tools.
        pub total_tool_duration: Option<f64> = "totalToolDuration",
        /// Lines added.
        pub total_lines_added: Option<u64> = "totalLinesAdded",
        /// Lines removed.
        pub total_lines_removed: Option<u64> = "totalLinesRemoved",
        /// Milliseconds that the CLI ran.
        pub total_duration: Option<f64> = "totalDuration",
        /// When the CLI was started, in milliseconds since 1970.
        pub start_time: Option<f64> = "startTime",
        /// Tokens and cost by model.
        pub model_usage: Option<BTreeMap<String, ModelUsage>> = "modelUsage",
        /// Is there a model whose price is not known?
        pub has_unknown_model_cost: Option<bool> = "hasUnknownModelCost",
    }

    /// The tools that the session has used (2.1.325).
    pub struct ToolsUsed {
        /// Their names.
        pub tools: Option<Vec<String>>,
    }

    /// Internal (2.1.325).
    pub struct AtisLatch {
        /// Always empty so far.
        pub atis: Option<String>,
    }

    /// A request to the API, as a difference to an earlier one (2.1.325).
    pub struct ApiRequest {
        /// Its id; `requestRef` of the answer's entries.
        pub id: Option<String>,
        /// The request that it builds on.
        pub base: Option<String>,
        /// How many messages of that one stay.
        pub keep: Option<u64>,
        /// The messages that follow, as hashes of `api-request-blob` entries.
        pub tail: Option<Vec<String>>,
        /// The `api-request-shape` entry with system prompt and tools.
        pub shape_hash: Option<String> = "shapeHash",
        /// The other parameters.
        pub params: Option<Raw>,
        /// Where the cache marks are.
        pub cache_control: Option<Raw> = "cacheControl",
        /// A hash over the whole request.
        pub request_digest: Option<String> = "requestDigest",
        /// Who asked: `sdk`, `agent:builtin:general-purpose`, …
        pub query_source: Option<String> = "querySource",
        /// The CLI's version.
        pub version: Option<String>,
    }

    /// System prompt and tools of requests (2.1.325).
    pub struct ApiRequestShape {
        /// Its name.
        pub shape_hash: Option<String> = "shapeHash",
        /// System prompt and tools; large.
        pub shape: Option<Raw>,
        /// The CLI's version.
        pub version: Option<String>,
    }

    /// A message of requests (2.1.325).
    pub struct ApiRequestBlob {
        /// Its name.
        pub hash: Option<String>,
        /// The message as the API got it; large.
        pub message: Option<Raw>,
    }

    /// The files as they were at a prompt (2.1.325; with checkpointing).
    pub struct FileHistorySnapshot {
        /// The prompt.
        pub message_id: Option<Uuid> = "messageId",
        /// The files.
        pub snapshot: Option<FileSnapshot>,
        /// Does it replace an earlier one of the same prompt?
        pub is_snapshot_update: Option<bool> = "isSnapshotUpdate",
    }

    /// A file as it was before its first change after a prompt (2.1.325; with checkpointing).
    pub struct FileHistoryDelta {
        /// The entry that changed it.
        pub message_id: Option<Uuid> = "messageId",
        /// The prompt.
        pub snapshot_message_id: Option<Uuid> = "snapshotMessageId",
        /// The file.
        pub tracking_path: Option<String> = "trackingPath",
        /// The copy.
        pub backup: Option<FileBackup>,
    }

    /// A title that the CLI made for a conversation (older versions; not measured).
    pub struct Summary {
        /// The title.
        pub summary: Option<String>,
        /// The end of the conversation, possibly in another file.
        pub leaf_uuid: Option<Uuid> = "leafUuid",
    }

    /// A title that the user gave (2.1.325).
    pub struct CustomTitle {
        /// The title.
        pub custom_title: Option<String> = "customTitle",
    }

    /// A title that a model made (not measured).
    pub struct AiTitle {
        /// The title.
        pub ai_title: Option<String> = "aiTitle",
    }

    /// The name under which other sessions write to this one (2.1.325).
    pub struct AgentName {
        /// The name.
        pub agent_name: Option<String> = "agentName",
    }

    /// The colour of the session (not measured).
    pub struct AgentColor {
        /// The colour.
        pub agent_color: Option<String> = "agentColor",
    }

    /// The agent that the session runs as (not measured).
    pub struct AgentSetting {
        /// The agent.
        pub agent_setting: Option<String> = "agentSetting",
    }

    /// A tag that the user gave (not measured).
    pub struct Tag {
        /// The tag.
        pub tag: Option<String>,
    }

    /// A pull request that belongs to the session (not measured).
    pub struct PrLink {
        /// Its number.
        pub pr_number: Option<u64> = "prNumber",
        /// Its address.
        pub pr_url: Option<String> = "prUrl",
        /// The repository, `owner/name`.
        pub pr_repository: Option<String> = "prRepository",
    }

    /// The session works in a worktree, or no longer does (2.1.325).
    pub struct WorktreeState {
        /// The worktree; null when the session has left it.
        pub worktree_session: Option<WorktreeSession> = "worktreeSession",
    }

    /// The session has moved to another directory (2.1.325).
    pub struct Relocated {
        /// The directory.
        pub relocated_cwd: Option<String> = "relocatedCwd",
    }

    /// Tool results that were replaced to save context (not measured).
    pub struct ContentReplacement {
        /// What was replaced by what.
        pub replacements: Option<Raw>,
    }

    /// The sessions that this one was branched from (not measured).
    pub struct DerivedFrom {
        /// The version of this form.
        pub v: Option<u64>,
        /// The sessions.
        pub sessions: Option<Raw>,
    }
}

words! {
    /// What was done to the queue of prompts.
    pub enum QueueVerb {
        /// A prompt was put in.
        Enqueue = "enqueue",
        /// The next prompt was taken out to start a turn.
        Dequeue = "dequeue",
        /// A prompt was taken out otherwise.
        Remove = "remove",
        /// All prompts were taken out (not measured).
        PopAll = "popAll",
    }
}

wire! {
    /// Files at a prompt.
    pub struct FileSnapshot {
        /// The prompt.
        pub message_id: Option<Uuid> = "messageId",
        /// The copies, by file.
        pub tracked_file_backups: Option<BTreeMap<String, FileBackup>> = "trackedFileBackups",
        /// When it was taken.
        pub timestamp: Option<String>,
    }

    /// A copy of a file.
    pub struct FileBackup {
        /// The copy's name in `~/.claude/file-history/<session>/`; null when there was no such file.
        pub backup_file_name: Option<String> = "backupFileName",
        /// The number of the copy, from 1.
        pub version: Option<u64>,
        /// When it was made.
        pub backup_time: Option<String> = "backupTime",
        /// The directory of the file.
        pub real_parent_dir: Option<String> = "realParentDir",
    }

    /// A worktree that a session works in.
    pub struct WorktreeSession {
        /// Where the session came from.
        pub original_cwd: Option<String> = "originalCwd",
        /// Where it came from before that.
        pub pre_enter_original_cwd: Option<String> = "preEnterOriginalCwd",
        /// The worktree.
        pub worktree_path: Option<String> = "worktreePath",
        /// Its name.
        pub worktree_name: Option<String> = "worktreeName",
        /// Its branch.
        pub worktree_branch: Option<String> = "worktreeBranch",
        /// The branch that it was made from.
        pub original_branch: Option<String> = "originalBranch",
        /// The commit that it was made from.
        pub original_head_commit: Option<String> = "originalHeadCommit",
        /// The session.
        pub session_id: Option<SessionId> = "sessionId",
        /// Where plugins look for their files.
        pub extension_root: Option<String> = "extensionRoot",
        /// Its tmux session (not measured).
        pub tmux_session_name: Option<String> = "tmuxSessionName",
        /// Did a hook make it (not measured)?
        pub hook_based: Option<bool> = "hookBased",
    }
}
