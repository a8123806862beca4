//! The rows of captured sessions, checked by hand against their lines.

use std::collections::BTreeMap;

use insights::event::tool::ToolKind;
use insights::event::turn::TokenUsage;
use insights::state::Phase;
use insights::state::tool::ToolStatus;
use insights::{HostFact, UnixMillis};
use journal::{Among, CallRow, Filter, Index, ModelUsage, SessionRow, SortBy, Span, TurnRow, UsageBy};

use crate::support::{Live, START, all_fixtures, append, append_fact, data, fixture, indexed};

const MODEL: &str = "claude-sonnet-4-5-20250929";

/// The moment of a record.
fn at(seq: i64) -> UnixMillis {
    UnixMillis(START.0 + 1000 * (seq - 1))
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn tokens(input_tokens: u64, output_tokens: u64, read: u64, creation: u64) -> TokenUsage {
    TokenUsage { input_tokens, output_tokens, cache_read_tokens: Some(read), cache_creation_tokens: Some(creation) }
}

fn is_about(cost: f64, expected: f64) -> bool {
    (cost - expected).abs() < 1e-12
}

#[test]
fn a_session_that_was_resumed_has_the_cost_of_both_turns_once() {
    let (_place, _data, mut index) = indexed(&["2.1.326/resume"]);
    let mut session = index.session("0").unwrap().unwrap();
    // 24 and 12 tokens at 3, 84 and 42 at 15, 18000 and 9000 at 0.3, 3000 and 1500 at 3.75 dollars for a million.
    assert!(is_about(session.cost_usd, 0.017982 + 0.008991), "{}", session.cost_usd);
    session.cost_usd = 0.0;
    let expected = SessionRow {
        id: "0".to_owned(),
        title: some("my name is Ada"),
        cwd: some("/home/user/project"),
        model: some(MODEL),
        mode: some("default"),
        version: some("2.1.326"),
        created_at: START,
        active_at: at(14),
        phase: Phase::Asleep,
        words: "Asleep".to_owned(),
        since: at(15),
        tokens: tokens(36, 126, 27000, 4500),
        turns: 2,
        last_turn_seq: 14,
        first_prompt: some("my name is Ada"),
        agent_sessions: vec!["aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee".to_owned()],
        seq: 15,
        ..SessionRow::default()
    };
    assert_eq!(session, expected);

    let mut turns = index.turns("0").unwrap();
    assert!(is_about(turns[0].cost_usd, 0.017982) && is_about(turns[1].cost_usd, 0.008991), "{turns:?}");
    for turn in &mut turns {
        turn.cost_usd = 0.0;
        turn.models.get_mut(MODEL).unwrap().cost_usd = 0.0;
    }
    let turn = |number, from: i64, to: i64, prompt, tokens: TokenUsage| TurnRow {
        number,
        from_seq: from as u64,
        to_seq: to as u64,
        started_at: at(from),
        ended_at: Some(at(to)),
        duration_ms: Some(100.0),
        models: BTreeMap::from([(MODEL.to_owned(), ModelUsage { tokens: tokens.clone(), cost_usd: 0.0 })]),
        tokens,
        model: some(MODEL),
        cwd: some("/home/user/project"),
        outcome: "completed".to_owned(),
        stop_reason: some("end_turn"),
        terminal_reason: some("completed"),
        prompt: some(prompt),
        ..TurnRow::default()
    };
    let first = turn(1, 4, 8, "my name is Ada", tokens(24, 84, 18000, 3000));
    assert_eq!(turns, [first, turn(2, 12, 14, "what is my name?", tokens(12, 42, 9000, 1500))]);
}

#[test]
fn a_call_says_what_it_did_and_how_it_ended() {
    let names = ["2.1.326/subagent", "2.1.326/permission-deny", "2.1.326/interrupt-during-tool", "2.1.326/tool-error"];
    let (_place, _data, mut index) = indexed(&names);
    let agent = CallRow {
        id: "toolu_lab000101".to_owned(),
        seq: 6,
        place: 0,
        turn: Some(1),
        name: "Agent".to_owned(),
        kind: ToolKind::Think,
        parent: None,
        started_at: at(6),
        ended_at: Some(at(14)),
        status: ToolStatus::Completed,
        about: "Count files".to_owned(),
    };
    let bash = CallRow {
        id: "toolu_lab000201".to_owned(),
        seq: 10,
        name: "Bash".to_owned(),
        kind: ToolKind::Execute,
        parent: some("toolu_lab000101"),
        started_at: at(10),
        ended_at: Some(at(11)),
        about: "ls | wc -l".to_owned(),
        ..agent.clone()
    };
    assert_eq!(index.tool_calls("0").unwrap(), [agent, bash]);
    let mut ends =
        |id: &str| -> Vec<ToolStatus> { index.tool_calls(id).unwrap().into_iter().map(|call| call.status).collect() };
    assert_eq!(ends("1"), [ToolStatus::Denied]);
    assert_eq!(ends("2"), [ToolStatus::Cancelled]);
    assert_eq!(ends("3"), [ToolStatus::Failed]);
}

#[test]
fn a_turn_ends_once_also_when_its_process_dies_or_no_model_was_asked() {
    let (_place, _data, mut index) = indexed(&["2.1.326/sigkill-then-resume", "2.1.326/slash-cost"]);
    let mut outcomes = |id: &str| -> Vec<(String, Option<String>)> {
        index.turns(id).unwrap().into_iter().map(|turn| (turn.outcome, turn.prompt)).collect()
    };
    let ended = |outcome: &str, prompt: &str| (outcome.to_owned(), some(prompt));
    let lost = [ended("completed", "hi"), ended("lost", "tell me more"), ended("completed", "what happened?")];
    assert_eq!(outcomes("0"), lost);
    assert_eq!(outcomes("1"), [ended("completed", "hello"), ended("command", "/cost")]);
    assert_eq!(index.session("1").unwrap().unwrap().turns, 1, "a command is no turn");
}

#[test]
fn what_a_session_is_about_to_do_is_in_its_row() {
    let (_place, data) = data();
    let records = fixture("2.1.326/permission-deny");
    let asked = records.iter().position(|record| record.line.text().contains("can_use_tool")).unwrap();
    append(&data, "waits", &records[..=asked]);
    let mut index = Index::open(&data).unwrap();
    index.catch_up(&data, |_| {}).unwrap();
    let session = index.session("waits").unwrap().unwrap();
    assert_eq!((session.phase, session.asks, session.words.as_str()), (Phase::NeedsYou, 1, "Wants to run Bash"));
    let turns = index.turns("waits").unwrap();
    assert_eq!((turns[0].outcome.as_str(), turns[0].ended_at, turns[0].to_seq), ("running", None, session.seq));
    assert_eq!(index.tool_calls("waits").unwrap()[0].status, ToolStatus::Waiting);
    // It goes on: the same rows change.
    append(&data, "waits", &records[asked + 1..]);
    index.catch_up(&data, |_| {}).unwrap();
    assert_eq!(index.session("waits").unwrap().unwrap().asks, 0);
    assert_eq!(index.tool_calls("waits").unwrap().len(), 1);
}

/// A copy of a session begins with the records of the other one.
fn forked() -> (tempfile::TempDir, journal::Data, Index) {
    let (place, data) = data();
    let records = fixture("2.1.326/resume");
    let second = 1 + records.iter().position(|record| record.line.text().contains("exited")).unwrap();
    append(&data, "old", &records[..second]);
    append(&data, "new", &records[..second]);
    let fact = HostFact::Forked { session: some("old"), from: None, to: some("bbbb") };
    append_fact(&data, "new", &fact);
    append(&data, "new", &records[second..]);
    let mut index = Index::open(&data).unwrap();
    index.catch_up(&data, |_| {}).unwrap();
    (place, data, index)
}

#[test]
fn what_a_copy_has_from_the_other_session_is_not_counted_twice() {
    let (_place, _data, mut index) = forked();
    let (old, new) = (index.session("old").unwrap().unwrap(), index.session("new").unwrap().unwrap());
    assert!(is_about(old.cost_usd, 0.017982) && is_about(old.inherited_usd, 0.0), "{old:?}");
    assert!(is_about(new.cost_usd, 0.008991) && is_about(new.inherited_usd, 0.017982), "{new:?}");
    assert_eq!((new.turns, new.tokens, new.forked_from), (1, tokens(12, 42, 9000, 1500), some("old")));
    assert_eq!(new.agent_sessions.len(), 2);
    let inherited: Vec<bool> = index.turns("new").unwrap().iter().map(|turn| turn.inherited).collect();
    assert_eq!(inherited, [true, false]);

    let days = index.usage(UsageBy::Day { utc_offset_minutes: 0 }, Span::default()).unwrap();
    assert!(is_about(days[0].cost_usd, 0.017982 + 0.008991), "{days:?}");
    assert_eq!((days.len(), days[0].turns, days[0].sessions), (1, 2, 2));
    let found: Vec<String> = index.of_agent_session("bbbb").unwrap().into_iter().map(|row| row.id).collect();
    assert_eq!(found, ["new"]);
}

#[test]
fn the_sums_of_all_captured_sessions_are_those_of_their_states() {
    let names = all_fixtures();
    assert!(names.len() > 100);
    let (_place, data) = data();
    let mut index = Index::open(&data).unwrap();
    let mut sum = 0.0;
    for (name, id) in names.iter().zip(0..) {
        let mut live = Live::new(&id.to_string());
        (1..).zip(fixture(name)).for_each(|(seq, record)| live.take(insights::Record { seq, ..record }));
        index.write(&live.batch().unwrap()).unwrap();
        let row = index.session(&id.to_string()).unwrap().unwrap();
        let meters = &live.state.meters;
        assert_eq!((row.turns, &row.tokens), (meters.turns, &meters.tokens), "{name}");
        assert!(is_about(row.cost_usd, meters.cost_usd), "{name}: {} {}", row.cost_usd, meters.cost_usd);
        assert!(is_about(row.inherited_usd, meters.inherited_usd), "{name}");
        let of_turns: f64 = index.turns(&row.id).unwrap().iter().map(|turn| turn.cost_usd).sum();
        assert!(is_about(of_turns, row.cost_usd), "{name}: {of_turns} {}", row.cost_usd);
        sum += row.cost_usd;
    }
    for by in [UsageBy::Day { utc_offset_minutes: 0 }, UsageBy::Model, UsageBy::Project] {
        let rows = index.usage(by, Span::default()).unwrap();
        let usage: f64 = rows.iter().map(|row| row.cost_usd).sum();
        assert!((usage - sum).abs() < 1e-9, "{by:?}: {usage} {sum}");
    }
    // The turns that it was spent in come to the same.
    let turns = index.spent(Span::default(), None, usize::MAX).unwrap();
    let spent: f64 = turns.iter().map(|spent| spent.turn.cost_usd).sum();
    assert!((spent - sum).abs() < 1e-9, "{spent} {sum}");
}

#[test]
fn a_conversation_is_held_by_the_session_of_its_name_however_new_a_copy_is() {
    let (_place, data) = data();
    let records = fixture("2.1.326/resume");
    let second = 1 + records.iter().position(|record| record.line.text().contains("exited")).unwrap();
    let name = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
    append(&data, name, &records[..second]);
    append(&data, "copy", &records);
    let mut index = Index::open(&data).unwrap();
    index.catch_up(&data, |_| {}).unwrap();
    assert_eq!(index.session("copy").unwrap().unwrap().agent_sessions[0], name);
    assert_eq!(index.sessions_of_agent().unwrap().get(name).map(String::as_str), Some(name));
}

#[test]
fn turns_that_something_was_spent_in_are_told_with_their_models() {
    let (_place, _data, mut index) = forked();
    let turns = index.spent(Span::default(), None, 10).unwrap();
    let told: Vec<(&str, u32)> = turns.iter().map(|spent| (spent.session.as_str(), spent.turn.number)).collect();
    // That which the copy has from the other session is that one's.
    assert_eq!(told, [("new", 2), ("old", 1)]);
    for spent in &turns {
        let models: f64 = spent.turn.models.values().map(|usage| usage.cost_usd).sum();
        assert!(is_about(models, spent.turn.cost_usd), "{spent:?}");
        assert_eq!(spent.turn.models.keys().collect::<Vec<_>>(), [MODEL]);
        assert!(spent.title.is_some());
    }
    let ids = |span, project, limit, index: &mut Index| -> Vec<String> {
        index.spent(span, project, limit).unwrap().into_iter().map(|spent| spent.session).collect()
    };
    assert_eq!(ids(Span::default(), None, 1, &mut index), ["new"]);
    assert_eq!(ids(Span::default(), Some("/home/user"), 10, &mut index), ["new", "old"]);
    assert!(ids(Span::default(), Some("/home/us"), 10, &mut index).is_empty());
    assert!(ids(Span { from: Some(at(1000)), to: None }, None, 10, &mut index).is_empty());
    assert_eq!(index.sessions_of_agent().unwrap().get("bbbb").map(String::as_str), Some("new"));
}

#[test]
fn usage_is_put_together_by_day_model_and_project() {
    let (_place, _data, mut index) = indexed(&["2.1.326/multi-turn", "2.1.326/resume"]);
    let row = |name: &str, turns, sessions, tokens| (name.to_owned(), tokens, turns, sessions);
    let mut usage = |by, span| -> Vec<(String, TokenUsage, u64, u64)> {
        let rows = index.usage(by, span).unwrap();
        rows.into_iter().map(|row| (row.name, row.tokens, row.turns, row.sessions)).collect()
    };
    let all = tokens(72, 252, 54000, 9000);
    let day = UsageBy::Day { utc_offset_minutes: 0 };
    assert_eq!(usage(day, Span::default()), [row("2025-11-15", 5, 2, all.clone())]);
    let far_east = UsageBy::Day { utc_offset_minutes: 13 * 60 };
    assert_eq!(usage(far_east, Span::default()), [row("2025-11-16", 5, 2, all.clone())]);
    assert_eq!(usage(UsageBy::Model, Span::default()), [row(MODEL, 5, 2, all.clone())]);
    assert_eq!(usage(UsageBy::Project, Span::default()), [row("/home/user/project", 5, 2, all)]);
    // The first turn of the one ends with its record 6, that of the other with its record 8.
    let span = Span { from: Some(at(6)), to: Some(at(8)) };
    assert_eq!(usage(day, span), [row("2025-11-15", 1, 1, tokens(12, 42, 9000, 1500))]);
    assert_eq!(usage(day, Span { from: Some(at(1000)), to: None }), []);
}

#[test]
fn sessions_are_listed_by_what_they_are_in_pages() {
    let names =
        ["2.1.326/multi-turn", "2.1.326/resume", "2.1.326/rename", "2.1.326/plain-text", "2.1.326/sigkill-then-resume"];
    let (_place, data, mut index) = indexed(&names);
    let ids = |index: &mut Index, filter: &Filter, sort| -> Vec<String> {
        index.list(filter, sort, 100, None).unwrap().rows.into_iter().map(|row| row.id).collect()
    };
    let all = Filter::default();
    let in_order = ids(&mut index, &all, SortBy::Active);
    assert_eq!(in_order.len(), 5);
    assert_eq!(in_order[0], "4", "the one that goes on longest");
    for sort in [SortBy::Active, SortBy::Created, SortBy::Cost, SortBy::Title] {
        let whole = ids(&mut index, &all, sort);
        let (mut paged, mut after) = (Vec::new(), None);
        loop {
            let page = index.list(&all, sort, 2, after.as_ref()).unwrap();
            paged.extend(page.rows.into_iter().map(|row| row.id));
            // A place in a list may go to a browser and back.
            let there = serde_json::to_string(&page.next).unwrap();
            after = serde_json::from_str(&there).unwrap();
            if after.is_none() {
                break;
            }
        }
        assert_eq!(paged, whole, "{sort:?}");
    }
    let titled = Filter { title: some("MY "), ..Filter::default() };
    assert_eq!(ids(&mut index, &titled, SortBy::Title), ["1", "2"], "my name is Ada, My title");
    let titles =
        [("1", "Zebra"), ("4", "my own"), ("none", "My past")].map(|(id, title)| (id.to_owned(), title.to_owned()));
    let own = Filter { title: some("MY "), titles: titles.into(), ..Filter::default() };
    assert_eq!(ids(&mut index, &own, SortBy::Title), ["4", "2"], "the user's own titles count");
    for (project, found) in [("/home/user/project", 5), ("/home/user", 5), ("/home/user/", 5), ("/home/user/pro", 0)] {
        let filter = Filter { project: some(project), ..Filter::default() };
        assert_eq!(ids(&mut index, &filter, SortBy::Active).len(), found, "{project}");
    }
    let asleep = Filter { phases: vec![Phase::Asleep, Phase::Failed], ..Filter::default() };
    assert_eq!(ids(&mut index, &asleep, SortBy::Active).len(), 5);
    let running = Filter { phases: vec![Phase::Running], ..Filter::default() };
    assert_eq!(ids(&mut index, &running, SortBy::Active).len(), 0);
    let two = vec!["1".to_owned(), "3".to_owned(), "none".to_owned()];
    let only = Filter { among: Among::Only(two.clone()), ..Filter::default() };
    assert_eq!(ids(&mut index, &only, SortBy::Title), ["1", "3"]);
    let except = Filter { among: Among::Except(two), ..Filter::default() };
    assert_eq!(ids(&mut index, &except, SortBy::Active).len(), 3);
    drop(data);
}

/// All pages of a list, one after the other. None of them is too long.
fn pages(index: &mut Index, filter: &Filter, sort: SortBy, limit: usize, known: &[SessionRow]) -> Vec<Vec<String>> {
    let (mut pages, mut after) = (Vec::new(), None);
    loop {
        let page = index.list_with(filter, sort, limit, after.as_ref(), known.to_vec()).unwrap();
        assert!(page.rows.len() <= limit);
        pages.push(page.rows.into_iter().map(|row| row.id).collect());
        after = page.next;
        if after.is_none() {
            return pages;
        }
    }
}

#[test]
fn sessions_that_are_not_in_the_index_yet_stand_where_they_will() {
    let names =
        ["2.1.326/multi-turn", "2.1.326/resume", "2.1.326/rename", "2.1.326/plain-text", "2.1.326/sigkill-then-resume"];
    let (_place, _data, mut index) = indexed(&names);
    let titles: BTreeMap<String, String> = [("4".to_owned(), "My own".to_owned())].into();
    let own = || Filter { titles: titles.clone(), ..Filter::default() };
    let filters = [
        own(),
        Filter { title: some("MY "), ..own() },
        Filter { project: some("/home/user/"), ..own() },
        Filter { project: some("/home/user/pro"), ..own() },
        Filter { phases: vec![Phase::Asleep], ..own() },
        Filter { among: Among::Only(vec!["1".to_owned(), "3".to_owned()]), ..own() },
        Filter { among: Among::Except(vec!["1".to_owned(), "3".to_owned()]), ..own() },
    ];
    let all = |index: &mut Index, known: &[SessionRow]| -> Vec<Vec<Vec<String>>> {
        let mut all = Vec::new();
        for filter in &filters {
            for sort in [SortBy::Active, SortBy::Created, SortBy::Cost, SortBy::Title] {
                all.extend((1..=6).map(|limit| pages(index, filter, sort, limit, known)));
            }
        }
        all
    };
    let whole = all(&mut index, &[]);
    assert!(whole.iter().any(|pages| pages.len() == 5), "{whole:?}");
    let mut known = Vec::new();
    for id in ["3", "0", "4", "1", "2"] {
        known.push(index.session(id).unwrap().unwrap());
        index.remove(id).unwrap();
        assert_eq!(all(&mut index, &known), whole, "without {id}");
    }
}

#[test]
fn an_imported_session_says_where_it_is_from() {
    let (_place, data) = data();
    append_fact(&data, "i", &HostFact::Imported { path: "/home/ada/x.jsonl".to_owned(), session: some("abc") });
    let mut index = Index::open(&data).unwrap();
    index.catch_up(&data, |_| {}).unwrap();
    let row = index.session("i").unwrap().unwrap();
    assert_eq!((row.imported_from, row.agent_sessions), (some("/home/ada/x.jsonl"), vec!["abc".to_owned()]));
}
