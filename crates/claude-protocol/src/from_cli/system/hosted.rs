//! `system` lines of sessions that run elsewhere than they are shown: in the vendor's cloud, on a phone, with plugins
//! that draw. Their fields are known from the CLI's code (2.1.325), and none was measured.

use crate::ids::{ToolUseId, Uuid};
use crate::raw::Raw;

message! {
    /// The state of remote control. In the CLI's code (2.1.325), not measured.
    pub struct BridgeState {
        /// The state, for example `connected` or `failed`.
        pub state: Option<String>,
        /// More about it.
        pub detail: Option<String>,
        /// How it failed, for example `terminal`.
        pub failure_kind: Option<String>,
        /// Is it connected again?
        pub recovered: Option<bool>,
        /// The number of the connection.
        pub bridge_epoch: Option<u64>,
    }

    /// A session in the vendor's cloud has changed. In the CLI's code (2.1.325), not measured.
    pub struct CloudSessionDelta {
        /// The number of the change.
        pub seq: Option<u64>,
        /// What has changed.
        pub changed: Option<Vec<String>>,
        /// The session: its device, its files, its calls.
        pub cloud_session: Option<Raw>,
    }

    /// Turns can be handed over from elsewhere, and what of them is understood. In the CLI's code (2.1.325), not
    /// measured.
    pub struct TurnHandoffAvailable {
        /// The version of the offer.
        pub version: Option<u64> = "v",
        /// The tools that it is for.
        pub tools: Option<Vec<String>>,
        /// The number of the process.
        pub worker_epoch: Option<u64>,
        /// Files that were put ready?
        pub staged_files: Option<bool>,
        /// A first message that asks nothing?
        pub no_query_first: Option<bool>,
        /// Messages with the same id?
        pub shared_message_id: Option<bool>,
        /// A mark where it was handed over?
        pub relay_marker: Option<bool>,
        /// Files of the home directory?
        pub home_files: Option<bool>,
        /// Names of files?
        pub file_names: Option<bool>,
        /// Files that were written before?
        pub carried_writes: Option<bool>,
        /// Lines that were written before?
        pub hydrates_carried_lines: Option<bool>,
        /// A rewind that has to come first?
        pub requires_rewind_request_id: Option<bool>,
    }

    /// What a tool gave that ran on another machine. In the CLI's code (2.1.325), not measured.
    pub struct ToolHostResult {
        /// The call.
        pub tool_use_id: Option<ToolUseId>,
        /// The machine.
        pub host: Option<ToolHost>,
        /// What became of the call.
        pub disposition: Option<String>,
        /// A name for people.
        pub label: Option<String>,
        /// Can it not be told that the result is from there?
        pub unverified: Option<bool>,
        /// What to say about it.
        pub lines: Option<Raw>,
    }

    /// The directory in which the process began, as the file system knows it. In the CLI's code (2.1.325), not
    /// measured.
    pub struct StartFolder {
        /// The device.
        pub dev: Option<String>,
        /// The number on it.
        pub ino: Option<String>,
    }

    /// What a plugin has drawn is in the focus. In the CLI's code (2.1.325), not measured.
    pub struct UiFocus {
        /// The screen.
        pub client_id: Option<String>,
        /// `Pane` or `AbovePrompt`.
        pub component: Option<String>,
        /// Which of them.
        pub instance_id: Option<String>,
        /// The plugin.
        pub plugin: Option<String>,
        /// The part that is in the focus.
        pub key: Option<String>,
    }

    /// What a plugin has drawn is to be moved. In the CLI's code (2.1.325), not measured.
    pub struct UiScroll {
        /// The screen.
        pub client_id: Option<String>,
        /// `Pane` or `AbovePrompt`.
        pub component: Option<String>,
        /// Which of them.
        pub instance_id: Option<String>,
        /// How far.
        pub offset: Option<f64>,
        /// Is it to stay at the end?
        pub follow_end: Option<bool>,
    }

    /// A plugin has something to say: in its log, in its line of the status (null: nothing any more), or for a while.
    /// In the CLI's code (2.1.325), not measured.
    pub struct UiText {
        /// The plugin.
        pub plugin: Option<String>,
        /// The text.
        pub text: Option<String>,
        /// Milliseconds for which to show it, if only for a while.
        pub timeout_ms: Option<f64>,
    }

    /// A plugin wants the user told. In the CLI's code (2.1.325), not measured.
    pub struct UiNotify {
        /// The plugin.
        pub plugin: Option<String>,
        /// What in it.
        pub source: Option<String>,
        /// The title.
        pub title: Option<String>,
        /// The text.
        pub text: Option<String>,
        /// What it is about; a later one with the same key replaces it.
        pub key: Option<String>,
        /// Milliseconds to wait.
        pub delay_ms: Option<f64>,
        /// When to show it, in milliseconds since 1970.
        pub at: Option<f64>,
        /// Only until the user is back?
        pub until_back: Option<bool>,
        /// Was it changed on the way?
        pub rewritten: Option<bool>,
    }

    /// A plugin takes back what the user was to be told. In the CLI's code (2.1.325), not measured.
    pub struct UiNotifyCancel {
        /// The plugin.
        pub plugin: Option<String>,
        /// What in it.
        pub source: Option<String>,
        /// What it was about.
        pub key: Option<String>,
    }

    /// The panes of plugins are others now. In the CLI's code (2.1.325), not measured.
    pub struct UiPanes {
        /// All of them: replace the list.
        pub panes: Option<Vec<UiPane>>,
        /// The one that is shown.
        pub shown_id: Option<String>,
        /// The one in the focus.
        pub focused_id: Option<String>,
        /// The one that wants the focus.
        pub focus_requested_id: Option<String>,
    }

    /// Where rows of plugins stand in the conversation. In the CLI's code (2.1.325), not measured.
    pub struct UiPlaced {
        /// The rows.
        pub rows: Option<Vec<UiRow>>,
    }
}

wire! {
    /// A machine on which a tool ran.
    pub struct ToolHost {
        /// Its name.
        pub name: Option<String>,
        /// The directory there.
        pub working_dir: Option<String>,
    }

    /// A row of a plugin in the conversation.
    pub struct UiRow {
        /// The plugin.
        pub plugin: Option<String>,
        /// The row.
        pub id: Option<String>,
        /// The request that made it.
        pub request_id: Option<String>,
        /// The message that it stands after.
        pub after_uuid: Option<Uuid>,
    }

    /// A pane of a plugin.
    pub struct UiPane {
        /// The pane.
        pub id: Option<String>,
        /// Its title.
        pub title: Option<String>,
        /// The plugin.
        pub plugin: Option<String>,
        /// Does Escape close it?
        pub close_on_escape: Option<bool>,
        /// Do short notes wait while it is shown?
        pub hold_toasts: Option<bool>,
        /// Its background.
        pub background_color: Option<String>,
        /// Its height, in rows.
        pub rows: Option<u64>,
        /// Its width, in columns.
        pub columns: Option<u64>,
        /// Where it stands, for example `widget`.
        pub placement: Option<String>,
    }

    /// A part of a screen.
    pub struct UiInstance {
        /// The screen.
        pub surface: Option<String>,
        /// The part.
        pub component: Option<String>,
        /// Which of them.
        pub instance_id: Option<String>,
    }
}
