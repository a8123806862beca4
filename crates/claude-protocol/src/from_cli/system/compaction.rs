//! `system` lines that cut the conversation: summed up, or cleared.

use crate::ids::{ToolUseId, Uuid};

message! {
    /// The conversation was summed up here, on request or because the context was full (2.1.38, 2.1.325). The summary
    /// is the next `user` line.
    pub struct CompactBoundary {
        /// The figures.
        pub compact_metadata: Option<CompactMetadata>,
        /// The last message before the cut, to follow the conversation across it (2.1.325).
        pub logical_parent_uuid: Option<Uuid>,
        /// Is it from before the session was taken up again? In the CLI's code, not measured.
        pub historical: Option<bool>,
        /// The summary itself, in one of the older documents; never measured.
        pub summary: Option<String>,
        /// The tool call whose subagent this is about, in one of the older documents; never measured.
        pub parent_tool_use_id: Option<ToolUseId>,
    }

    /// The conversation was cleared, in two of the older documents. Never measured: 2.1.325 sends `conversation_reset`,
    /// 2.1.38 knows no `/clear` here.
    pub struct ContextCleared {}
}

wire! {
    /// The figures of a compaction.
    pub struct CompactMetadata {
        /// What began it.
        pub trigger: Option<CompactTrigger>,
        /// Tokens in the context before.
        pub pre_tokens: Option<u64>,
        /// Tokens in the context after; may be more than before when there was little (2.1.325).
        pub post_tokens: Option<u64>,
        /// Tokens that all compactions so far have removed (2.1.325).
        pub cumulative_dropped_tokens: Option<u64>,
        /// Milliseconds that it took (2.1.325).
        pub duration_ms: Option<f64>,
        /// The messages that stay, by their ends (2.1.325).
        pub preserved_segment: Option<PreservedSegment>,
        /// The messages that stay, one by one: better than `preserved_segment` (2.1.325).
        pub preserved_messages: Option<PreservedMessages>,
        /// What the user asked the summary to keep. In the CLI's code, not measured.
        pub user_context: Option<String>,
        /// How many messages were summed up. In the CLI's code, not measured.
        pub messages_summarized: Option<u64>,
        /// Was the summary ready before it was needed? In the CLI's code, not measured.
        pub precomputed: Option<bool>,
        /// Tools that had been loaded before. In the CLI's code, not measured.
        pub pre_compact_discovered_tools: Option<Vec<String>>,
        /// Published pages that had been read before. In the CLI's code, not measured.
        pub pre_compact_artifact_read_versions: Option<Vec<ArtifactVersion>>,
    }

    /// The messages that stay, by their ends (2.1.325).
    pub struct PreservedSegment {
        /// The first.
        pub head_uuid: Option<Uuid>,
        /// The message that they now follow.
        pub anchor_uuid: Option<Uuid>,
        /// The last.
        pub tail_uuid: Option<Uuid>,
    }

    /// The messages that stay, one by one (2.1.325).
    pub struct PreservedMessages {
        /// The message that they now follow.
        pub anchor_uuid: Option<Uuid>,
        /// The messages, in order.
        pub uuids: Option<Vec<Uuid>>,
        /// The same with lines that are not messages of the conversation.
        pub all_uuids: Option<Vec<Uuid>>,
    }

    /// A published page that was read. In the CLI's code (2.1.325), not measured.
    pub struct ArtifactVersion {
        /// The page.
        pub slug: Option<String>,
        /// Its version.
        pub version: Option<String> = "ver",
    }
}

words! {
    /// What began a compaction.
    pub enum CompactTrigger {
        /// `/compact`.
        Manual = "manual",
        /// The context was full.
        Auto = "auto",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FromCli, System, decode};

    #[test]
    fn the_boundary_is_read_with_figures_and_in_the_form_of_an_older_document() {
        let read = |line: &str| match decode(line).body {
            FromCli::System(System::CompactBoundary(boundary)) => *boundary,
            other => panic!("not a boundary: {other:?}"),
        };
        let line = concat!(
            r#"{"type":"system","subtype":"compact_boundary","#,
            r#""compact_metadata":{"trigger":"auto","pre_tokens":180000}}"#
        );
        let figures = CompactMetadata {
            trigger: Some(CompactTrigger::Auto),
            pre_tokens: Some(180_000),
            ..CompactMetadata::default()
        };
        assert_eq!(read(line), CompactBoundary { compact_metadata: Some(figures), ..CompactBoundary::default() });
        assert_eq!(
            read(r#"{"type":"system","subtype":"compact_boundary","summary":"So far"}"#),
            CompactBoundary { summary: Some("So far".to_owned()), ..CompactBoundary::default() }
        );
    }
}
