//! Laws of the state, over captured sessions that were cut, mixed and damaged at random.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use insights::event::Body;
use insights::record::{Record, Source};
use insights::state::clip::WHOLE_BYTES;
use insights::state::item::{Item, ItemBody, ItemId, Order};
use insights::state::tool::ToolStatus;
use insights::state::{Change, State, coalesce};
use insights::{InsightsEvent, UnixMillis};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::fixtures::scenarios;
use crate::play::{events, state};

/// The records of every scenario, read once.
fn captured() -> &'static [Vec<Record>] {
    static RECORDS: OnceLock<Vec<Vec<Record>>> = OnceLock::new();
    RECORDS.get_or_init(|| scenarios().iter().map(|scenario| scenario.records()).collect())
}

/// Events of a session; what a failed law prints of them is short.
struct Events(Vec<InsightsEvent>);

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind =
            |event: &InsightsEvent| serde_json::to_value(event).map_or(Value::Null, |json| json["event"].clone());
        f.debug_list().entries(self.0.iter().map(|event| format!("{} {}", event.id, kind(event)))).finish()
    }
}

impl std::ops::Deref for Events {
    type Target = [InsightsEvent];

    fn deref(&self) -> &[InsightsEvent] {
        &self.0
    }
}

/// One session, or two whose lines are mixed, with some lines lost, doubled or damaged.
fn sessions() -> impl Strategy<Value = Events> {
    let damage = (any::<Index>(), any::<Index>(), 0..12_usize);
    let both = (any::<Index>(), any::<Index>(), proptest::collection::vec(any::<bool>(), 0..40));
    (both, proptest::collection::vec(damage, 0..6)).prop_map(|((one, other, turns), damages)| {
        let (mut one, mut other) = (one.get(captured()).iter(), other.get(captured()).iter());
        let mut mixed: Vec<Record> = Vec::new();
        for first in &turns {
            mixed.extend(if *first { one.next() } else { other.next() }.cloned());
        }
        mixed.extend(one.cloned());
        if turns.len() > 20 {
            mixed.extend(other.cloned());
        }
        for (line, node, kind) in damages {
            spoil(&mut mixed, line, node, kind);
        }
        for (number, record) in mixed.iter_mut().enumerate() {
            record.seq = number as u64 + 1;
            record.at = UnixMillis(record.seq as i64 * 1000);
        }
        Events(events(mixed))
    })
}

/// Takes a line away, doubles it, moves it to the end, or puts something else in place of one of its values.
fn spoil(records: &mut Vec<Record>, line: Index, node: Index, kind: usize) {
    if records.is_empty() {
        return;
    }
    let place = line.index(records.len());
    let value = match kind {
        0 => return drop(records.remove(place)),
        1 => return records.insert(place, records[place].clone()),
        2 => {
            let record = records.remove(place);
            return records.push(record);
        }
        3 => json!(null),
        4 => json!(true),
        5 => json!(-1.5),
        6 => json!("x"),
        7 => json!([]),
        8 => json!({}),
        9 => json!("\u{1}\"\n".repeat(30_000)),
        10 => json!(vec!["a long list"; 5_000]),
        _ => json!(1e300),
    };
    let record = &mut records[place];
    if record.source == Source::Host {
        return;
    }
    let Ok(mut line) = serde_json::from_str::<Value>(&record.line.text()) else { return };
    let count = nodes(&mut line, None).0;
    nodes(&mut line, Some((node.index(count), value)));
    record.line = line.to_string().into();
}

/// Counts the values in a value, and replaces the one with a number.
fn nodes(value: &mut Value, replace: Option<(usize, Value)>) -> (usize, Option<(usize, Value)>) {
    let (mut count, mut replace) = (1, replace);
    if let Some((0, new)) = replace {
        *value = new;
        return (count, None);
    }
    replace = replace.map(|(number, new)| (number - 1, new));
    let children: Vec<&mut Value> = match value {
        Value::Array(list) => list.iter_mut().collect(),
        Value::Object(map) => map.values_mut().collect(),
        _ => Vec::new(),
    };
    for child in children {
        let (below, left) = nodes(child, replace);
        count += below;
        replace = left;
    }
    (count, replace)
}

fn there_and_back<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

/// Where two states differ, in lines.
fn difference(one: &State, other: &State) -> String {
    let lines = |state: &State| -> Vec<String> {
        let json = serde_json::to_string_pretty(state).unwrap();
        json.lines().map(|line| line.chars().take(200).collect()).collect()
    };
    let (one, other) = (lines(one), lines(other));
    let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let around =
        |lines: &[String]| lines.iter().skip(same.saturating_sub(6)).take(12).cloned().collect::<Vec<_>>().join("\n");
    format!("{}\n--- but ---\n{}", around(&one), around(&other))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn a_screen_that_gets_only_changes_holds_what_the_host_holds(
        events in sessions(),
        joined in any::<Index>(),
        floor in any::<Index>(),
        frames in proptest::collection::vec(1..30_usize, 1..20),
    ) {
        let joined = joined.index(events.len() + 1);
        let mut host = state(&events[..joined]);
        let places: Vec<Order> =
            host.items.iter().map(|item| item.order).chain([Order::default(), Order(joined as u64, 0)]).collect();
        let floor = *floor.get(&places);

        let mut screen: State = there_and_back(&host.since(floor));
        let mut rest = &events[joined..];
        for size in frames.iter().cycle() {
            let (frame, later) = rest.split_at((*size).min(rest.len()));
            let changes: Vec<Change> = frame.iter().flat_map(|event| host.apply(event)).collect();
            for change in &there_and_back(&coalesce(changes)) {
                screen.patch(change);
            }
            prop_assert!(screen == host.since(floor), "{}", difference(&screen, &host.since(floor)));
            rest = later;
            if rest.is_empty() {
                break;
            }
        }
    }

    #[test]
    fn a_state_that_was_kept_and_read_again_goes_on_like_one_that_was_not(
        events in sessions(),
        cut in any::<Index>(),
    ) {
        let (before, after) = events.split_at(cut.index(events.len() + 1));
        let mut kept: State = there_and_back(&state(before));
        for event in after {
            kept.apply(event);
        }
        let straight = state(events.iter());
        prop_assert!(kept == straight, "{}", difference(&kept, &straight));
    }

    #[test]
    fn coalescing_changes_nothing(events in sessions(), start in any::<Index>()) {
        let (before, after) = events.split_at(start.index(events.len() + 1));
        let start = state(before);
        let mut host = start.clone();
        let changes: Vec<Change> = after.iter().flat_map(|event| host.apply(event)).collect();
        let few = coalesce(changes.clone());
        prop_assert!(few.len() <= changes.len());
        prop_assert_eq!(coalesce(few.clone()), few.clone());
        let mut screen = start;
        few.iter().for_each(|change| screen.patch(change));
        prop_assert_eq!(screen, host);
    }

    #[test]
    fn deciding_touches_nothing_and_says_only_what_changes(events in sessions()) {
        let mut state = State::default();
        for event in events.iter() {
            let before = state.clone();
            let changes = state.decide(event);
            prop_assert_eq!(&state, &before);
            for change in &changes {
                let unpatched = state.clone();
                state.patch(change);
                prop_assert!(state != unpatched, "{change:?} changes nothing");
            }
        }
    }

    #[test]
    fn nothing_is_larger_than_was_promised(events in sessions()) {
        let mut state = State::default();
        for event in events.iter() {
            for change in state.apply(event) {
                match change {
                    Change::Put { item } => {
                        let json = serde_json::to_string(&item).unwrap();
                        prop_assert!(json.len() <= WHOLE_BYTES, "{} bytes: {:.300}", json.len(), json);
                    }
                    Change::Append { id, .. } => {
                        let json = serde_json::to_string(state.items.get(&id).unwrap()).unwrap();
                        prop_assert!(json.len() <= WHOLE_BYTES, "{} bytes: {:.300}", json.len(), json);
                    }
                    Change::Asks { asks } => {
                        for ask in asks {
                            let json = serde_json::to_string(&ask).unwrap();
                            prop_assert!(json.len() <= WHOLE_BYTES, "{} bytes: {:.300}", json.len(), json);
                        }
                    }
                    Change::Status { .. } | Change::Meters { .. } | Change::Catalog { .. } | Change::Tasks { .. }
                    | Change::Jobs { .. } | Change::Mcp { .. } | Change::Queue { .. } | Change::Drop { .. } => {}
                }
            }
        }
    }

    #[test]
    fn the_costs_of_turns_add_up_to_the_cost_of_the_session_by_model_as_well(events in sessions()) {
        let (mut usd, mut models) = (0.0, BTreeMap::<String, f64>::new());
        for event in events.iter() {
            match &event.body {
                Body::TurnComplete(turn) => {
                    usd += turn.turn_cost_usd.unwrap();
                    for (model, usage) in turn.turn_model_usage.iter().flatten() {
                        *models.entry(model.clone()).or_default() += usage.cost_usd.unwrap_or(0.0);
                    }
                }
                Body::SessionMetrics(metrics) => {
                    prop_assert_eq!(metrics.cost_usd, usd);
                    for (model, usage) in &metrics.per_model {
                        prop_assert_eq!(usage.cost_usd.unwrap_or(0.0), models.get(model).copied().unwrap_or(0.0));
                    }
                }
                _ => {}
            }
        }
    }

    #[test]
    fn parents_are_there_and_ids_find_their_items(events in sessions()) {
        let state = state(events.iter());
        let mut places: Vec<(Order, ItemId)> = Vec::new();
        for item in state.items.iter() {
            prop_assert_eq!(state.items.get(&item.id), Some(item));
            if let Some(parent) = &item.parent {
                prop_assert!(state.items.get(parent).is_some(), "{} has no parent {parent}", item.id);
            }
            places.push((item.order, item.id.clone()));
        }
        prop_assert!(places.is_sorted());
    }
}

/// Without its pieces a turn ends with the same items. What was only ever streamed is the exception: an answer that was
/// cut off is shown as far as it came.
#[test]
fn a_finished_turn_has_the_same_items_without_its_pieces() {
    let mut streamed = 0;
    for scenario in scenarios() {
        let events = scenario.events();
        let whole = state(events.iter().filter(|event| !matches!(event.body, Body::StreamDelta(_))));
        streamed += usize::from(events.iter().any(|event| matches!(event.body, Body::StreamDelta(_))));
        let items = |state: &State| -> BTreeMap<ItemId, Item> {
            state.items.iter().map(|item| (item.id.clone(), item.clone())).collect()
        };
        let (mut with, without) = (items(&state(events.iter())), items(&whole));
        with.retain(|id, item| without.contains_key(id) || !was_cut_off(item));
        assert_eq!(with, without, "{scenario}");
    }
    assert!(streamed > 20, "only {streamed} scenarios have pieces");
}

/// The events of every scenario with pieces.
fn streamed() -> &'static [Vec<InsightsEvent>] {
    static EVENTS: OnceLock<Vec<Vec<InsightsEvent>>> = OnceLock::new();
    EVENTS.get_or_init(|| {
        let all = captured().iter().map(|records| events(records.clone()));
        all.filter(|events| events.iter().any(is_piece)).collect()
    })
}

fn is_piece(event: &InsightsEvent) -> bool {
    matches!(event.body, Body::StreamDelta(_))
}

fn was_cut_off(item: &Item) -> bool {
    match &item.body {
        ItemBody::Text(text) => text.aborted,
        ItemBody::Thinking(thinking) => thinking.done,
        ItemBody::Tool(tool) => tool.status == ToolStatus::Cancelled,
        ItemBody::Agent(agent) => agent.status == ToolStatus::Cancelled,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    /// The same when only some of the pieces come.
    #[test]
    fn a_finished_turn_has_the_same_items_whichever_pieces_are_lost(
        session in any::<Index>(),
        lost in proptest::collection::vec(any::<bool>(), 1..60),
    ) {
        let all = session.get(streamed());
        let mut lost = lost.iter().cycle();
        let some = all.iter().filter(|event| !is_piece(event) || lost.next() != Some(&true));
        // What was cut off is told by its pieces alone.
        let whole = state(all.iter().filter(|event| !is_piece(event)));
        let is_kept = |item: &&Item| whole.items.get(&item.id).is_some() || !was_cut_off(item);
        let items = |state: State| -> Vec<Item> { state.items.iter().filter(is_kept).cloned().collect() };
        prop_assert_eq!(items(state(some)), items(state(all)));
    }
}

proptest! {
    #[test]
    fn coalescing_any_changes_at_all_changes_nothing(
        changes in proptest::collection::vec(change(), 0..40),
        first in proptest::collection::vec(change(), 0..10),
        floor in 0..6_u64,
    ) {
        let mut plain = State::default();
        first.iter().for_each(|change| plain.patch(change));
        plain.cut(Order(floor, 0));
        let mut screen = plain.clone();
        changes.iter().for_each(|change| plain.patch(change));
        coalesce(changes).iter().for_each(|change| screen.patch(change));
        prop_assert_eq!(screen, plain);
    }
}

/// Changes of a few items that get into each other's way.
fn change() -> impl Strategy<Value = Change> {
    let id = select(vec!["a", "b", "c"]);
    let item = (id.clone(), 0..8_u64, any::<bool>()).prop_map(|(id, seq, growing)| {
        let body = match growing {
            true => json!({"kind": "text", "text": {"text": "t"}, "done": false, "aborted": false}),
            false => json!({"kind": "notice", "level": "info", "source": "s", "text": {"text": "n"}}),
        };
        let item = json!({"id": id, "order": [seq, 0], "at": 0, "seq": seq, "body": body});
        serde_json::from_value(json!({"change": "put", "item": item})).unwrap()
    });
    prop_oneof![
        3 => item,
        3 => (id.clone(), "[a-z]{1,3}").prop_map(|(id, text)| Change::Append { id: id.into(), text }),
        1 => id.prop_map(|id| Change::Drop { id: id.into() }),
        1 => Just(Change::Asks { asks: Vec::new() }),
    ]
}
