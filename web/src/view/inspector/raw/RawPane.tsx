// The log of a session, record by record, the newest last: filtered, followed, each opened as a tree.

import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useKnown } from "../../../store/use";
import { focusWhenDrawn } from "../../focusWhenDrawn";
import { Arc, Icon } from "../../Icon";
import { PressableList } from "../../PressableList";
import { edgeOutOfSight, RowPlacer, SPOTS } from "../../rowPlacer";
import { SearchField } from "../../shell/SearchField";
import { RecordRow } from "./RecordRow";
import { type Entry, type Filter, isWanted, kindsOf, PIECES } from "./records";
import { LARGE_PAGE, useRecords } from "./useRecords";

/** So near to an edge more is brought, in pixels. */
const NEAR = 400;
/** When a filter leaves fewer than these, so many pages more are looked through by themselves. */
const FEW = 20;
const PAGES = 8;
/** Nearer to the end than this is at the end, in pixels; and so long after the reader did something he scrolls. */
const AT_END = 24;
const TOUCHED_MS = 800;

export function RawPane({ at }: { at: string | undefined }) {
  const wanted = at === undefined || !/^\d+$/.test(at) ? undefined : Number(at);
  const isKnown = useKnown();
  const log = useRecords(wanted);
  const [filter, setFilter] = useState<Filter>({ kind: "whole", text: "" });
  const meant = useDeferredValue(filter);
  const shown = useMemo(() => log.entries.filter((entry) => isWanted(entry, meant)), [log.entries, meant]);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [isFollowing, setFollowing] = useState(wanted === undefined);
  const [active, setActive] = useState<number | undefined>();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const placer = useRef(new RowPlacer());
  const isShift = useShift(shown);

  const goTo = (seq: number, align: "start" | "end") => {
    const at = shown.findIndex((entry) => entry.seq === seq);
    const row = { element: () => recordElement(seq), offset: () => list.current?.getItemOffset(at) ?? 0 };
    if (scroller.current) placer.current.put(scroller.current, row, SPOTS[align]);
  };
  useWanted(
    wanted,
    shown,
    log.entries,
    (seq) => goTo(seq, "start"),
    (seq) => {
      setFollowing(false);
      setOpen((before) => new Set(before).add(seq));
      setActive(seq);
      if (!shown.some((entry) => entry.seq === seq)) setFilter({ kind: "", text: "" });
    },
  );
  useFill(log, shown.length, meant);

  const touchedAt = useRef(0);
  const touched = () => {
    touchedAt.current = performance.now();
    placer.current.stop();
  };

  const follow = useCallback(() => {
    const place = scroller.current;
    if (isFollowing && place) place.scrollTop = place.scrollHeight;
  }, [isFollowing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows are what is followed.
  useLayoutEffect(follow, [follow, shown]);

  const scrolled = () => {
    const place = scroller.current;
    if (!place || log.isBusy || log.problem !== undefined) return;
    const left = place.scrollHeight - place.scrollTop - place.clientHeight;
    if (place.scrollTop < NEAR && log.hasEarlier) log.bring("earlier");
    if (left < NEAR && !log.isTail) log.bring("later");
    // Only the reader leaves the end, or comes back to it.
    if (performance.now() - touchedAt.current < TOUCHED_MS) setFollowing(left < AT_END && log.isTail);
  };
  const toggle = (seq: number) => {
    setFollowing(false);
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(seq)) after.add(seq);
      return after;
    });
  };
  const stop = shown.some(({ seq }) => seq === active) ? active : shown.at(-1)?.seq;
  const walk = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (!target.matches(".rec-line")) return;
    const here = shown.findIndex(({ seq }) => seq === stop);
    const to = KEYS[event.key]?.(here, shown.length);
    const entry = to === undefined ? undefined : shown[Math.max(0, Math.min(shown.length - 1, to))];
    if (entry === undefined) return;
    event.preventDefault();
    setFollowing(false);
    setActive(entry.seq);
    const row = recordElement(entry.seq);
    const beyond = shown.indexOf(entry) < here ? "start" : "end";
    const edge = row && scroller.current ? edgeOutOfSight(scroller.current, row) : beyond;
    if (edge) goTo(entry.seq, edge);
    focusWhenDrawn(() => recordElement(entry.seq));
  };
  if (!isKnown) return null;
  return (
    <>
      <Filters filter={filter} onFilter={setFilter} entries={log.entries} />
      <div className="rec-bar hint">
        <span className="num">
          {shown.length === 0 ? "No records" : `${shown.length.toLocaleString()} of records ${range(log.entries)}`}
        </span>
        {log.isBusy ? <Arc /> : null}
        <span className="grow" />
        <label className="tick">
          <input
            type="checkbox"
            checked={isFollowing && log.isTail}
            disabled={!log.isTail}
            onChange={(event) => setFollowing(event.target.checked)}
          />
          Follow
        </label>
      </div>
      {log.problem === undefined ? null : (
        <div className="pane-more" role="alert">
          <p className="hint is-danger">{log.problem}</p>
          <button type="button" className="btn sm" onClick={log.retry}>
            Try again
          </button>
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move between the records in it. */}
      <div
        className="rec-scroll"
        ref={scroller}
        onScroll={scrolled}
        onKeyDown={walk}
        onWheel={touched}
        onTouchMove={touched}
        onPointerDown={touched}
      >
        {log.hasEarlier && !log.isBusy && shown.length < FEW ? (
          <div className="pane-more">
            <button type="button" className="btn sm" onClick={() => log.bring("earlier", LARGE_PAGE)}>
              Look further back, before record {log.entries[0]?.seq.toLocaleString()}
            </button>
          </div>
        ) : null}
        <Virtualizer
          as={PressableList}
          ref={list}
          scrollRef={scroller}
          data={shown}
          shift={isShift}
          bufferSize={300}
          onResize={follow}
          keepMounted={
            stop === undefined
              ? []
              : [
                  Math.max(
                    0,
                    shown.findIndex(({ seq }) => seq === stop),
                  ),
                ]
          }
        >
          {(entry) => (
            <RecordRow
              key={entry.seq}
              entry={entry}
              isOpen={open.has(entry.seq)}
              isStop={entry.seq === stop}
              isMarked={entry.seq === wanted}
              onToggle={toggle}
              onFocus={setActive}
            />
          )}
        </Virtualizer>
        {shown.length === 0 && !log.isBusy && log.problem === undefined ? (
          <p className="pane-empty">{log.entries.length === 0 ? "The log is empty." : "No record here matches."}</p>
        ) : null}
      </div>
    </>
  );
}

const recordElement = (seq: number): HTMLElement | undefined => document.getElementById(`record-${seq}`) ?? undefined;

const KEYS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function range(entries: readonly Entry[]): string {
  return `${entries[0]?.seq.toLocaleString() ?? 0}–${entries.at(-1)?.seq.toLocaleString() ?? 0}`;
}

function Filters({
  filter,
  onFilter,
  entries,
}: {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  entries: readonly Entry[];
}) {
  const kinds = useMemo(() => kindsOf(entries).filter((kind) => kind !== PIECES), [entries]);
  return (
    <div className="rec-filters">
      <SearchField label="Find in records" value={filter.text} onChange={(text) => onFilter({ ...filter, text })} />
      <div className="select-box">
        <select
          className="input"
          aria-label="Kind of record"
          value={filter.kind}
          onChange={(event) => onFilter({ ...filter, kind: event.target.value })}
        >
          <option value="whole">Whole messages</option>
          <option value="">Everything</option>
          <option value={PIECES}>Streamed pieces</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {kind}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </div>
    </div>
  );
}

/** Did records come before those that were there? The list keeps its place then. */
function useShift(shown: readonly Entry[]): boolean {
  const before = useRef(shown);
  const isShift =
    before.current.length > 0 &&
    shown.length > before.current.length &&
    shown.at(-1) === before.current.at(-1) &&
    shown[0] !== before.current[0];
  useEffect(() => {
    before.current = shown;
  });
  return isShift;
}

/** Goes to the record that is looked for, once for each, as soon as it is there. */
function useWanted(
  wanted: number | undefined,
  shown: readonly Entry[],
  all: readonly Entry[],
  goTo: (seq: number) => void,
  found: (seq: number) => void,
): void {
  const [told, setTold] = useState<number | undefined>();
  const [gone, setGone] = useState<number | undefined>();
  const isThere = wanted !== undefined && all.some(({ seq }) => seq === wanted);
  useEffect(() => {
    if (!isThere || told === wanted) return;
    setTold(wanted);
    if (wanted !== undefined) found(wanted);
  });
  const isShown = shown.some(({ seq }) => seq === wanted);
  useEffect(() => {
    if (told !== wanted || wanted === undefined || gone === wanted || !isShown) return;
    setGone(wanted);
    goTo(wanted);
  });
}

/** When a filter leaves little, more of the log is looked through. */
function useFill(log: ReturnType<typeof useRecords>, count: number, filter: Filter): void {
  const pages = useRef({ filter, left: PAGES });
  useEffect(() => {
    if (pages.current.filter !== filter) pages.current = { filter, left: PAGES };
    if (log.isBusy || log.problem !== undefined || !log.hasEarlier || count >= FEW || pages.current.left === 0) return;
    pages.current.left--;
    log.bring("earlier", LARGE_PAGE);
  });
}
