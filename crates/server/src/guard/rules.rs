//! The rules of the guard that a test build can leave out, one at a time, to show that the test of that rule notices.

/// A rule that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// 1: only this machine.
    Loopback,
    /// 2: nobody comes in without a name.
    Anonymous,
    /// 3: a key that others can read is refused.
    Key,
    /// 4: a launch link is good once, and not for long.
    LaunchOnce,
    /// 4: no token stands in a log.
    QuietLog,
    /// 5: the cookie is for HTTP and this site alone.
    Cookie,
    /// 5: logging out ends the cookie on the server.
    Logout,
    /// 5: what lets somebody in is not kept where a script can read it.
    #[cfg(feature = "unguarded")]
    Storage,
    /// 6 and 8: the name of the host.
    Host,
    /// 7: the page that a WebSocket comes from.
    SocketOrigin,
    /// 9: changes are JSON, with a header.
    JsonOnly,
    /// 9: the page that a change comes from.
    Origin,
    /// 9: reading changes nothing.
    #[cfg(feature = "unguarded")]
    Reading,
    /// 10: no other page reads an answer.
    Cors,
    /// 11: a ticket is good once.
    TicketOnce,
    /// 12: what the page may load.
    Csp,
    /// 13: what an agent wrote is no page.
    PlainText,
    /// 15: files beneath the folder.
    Beneath,
    /// 15 and 17: the data folder is for nobody.
    OwnData,
    /// 16 and 17: values from outside.
    Values,
    /// 16: no shell stands between us and what we start.
    #[cfg(feature = "unguarded")]
    Shell,
    /// 16: free text stays one argument.
    #[cfg(feature = "unguarded")]
    OneArgument,
    /// 17: what a client may set in the environment of an agent.
    Variables,
    /// 17: folders that agents may work in.
    Roots,
    /// 17: a link in the place of such a folder is none.
    TrueRoots,
    /// 17: an agent gets no token.
    #[cfg(feature = "unguarded")]
    AgentToken,
    /// 18: a question is answered once, while it is open.
    AnswerOnce,
    /// 18: who answered what is written down.
    Audit,
    /// 19: permissions are not bypassed.
    Bypass,
    /// 20: how often a login may fail.
    Attempts,
    /// 20: how long a body may be.
    Sizes,
    /// 20: how long a body may take.
    Patience,
    /// 20: how many connections.
    Connections,
    /// 20: how many WebSockets, and how much they may say.
    Sockets,
    /// 20: no open address without TLS.
    OpenAddress,
}

/// Never, in a build that users get.
#[cfg(not(feature = "unguarded"))]
pub(crate) const fn left_out(_rule: Rule) -> bool {
    false
}

/// Whether `QUARTERDECK_LEAVE_OUT` names the rule.
#[cfg(feature = "unguarded")]
pub(crate) fn left_out(rule: Rule) -> bool {
    std::env::var("QUARTERDECK_LEAVE_OUT").is_ok_and(|name| name == format!("{rule:?}"))
}
