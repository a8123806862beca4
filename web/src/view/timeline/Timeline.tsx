// The conversation, from top to bottom: only the rows that are seen are drawn, however many there are.

import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useKnown, useRows, useSession, useTrouble } from "../../store/use";
import { Icon } from "../Icon";
import { useDeed } from "../keys/deeds";
import { lazily } from "../lazily";
import { PressableList } from "../PressableList";
import { ClearedMark } from "./ClearedMark";
import { rowsAfter, useCleared } from "./cleared";
import { PinnedJobs } from "./PinnedJobs";
import { useReveal } from "./reveal";
import { Tail } from "./Tail";
import { spineOf, TimelineRow } from "./TimelineRow";
import { useArrival } from "./useArrival";
import { useOlder } from "./useOlder";
import { useReadingPlace } from "./useReadingPlace";
import { useRowKeys } from "./useRowKeys";

const FindBar = lazily(() => import("../find/FindBar").then((part) => part.FindBar));

export function Timeline() {
  return (
    <>
      <PinnedJobs />
      <Conversation />
    </>
  );
}

/** The room above the first row, in pixels. */
const ABOVE = 8;

function Conversation() {
  const session = useSession();
  const all = useRows();
  const cleared = useCleared(session.id);
  const rows = useMemo(() => rowsAfter(all, cleared, (id) => session.item(id)?.order), [all, cleared, session]);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const place = useReadingPlace(rows, scroller, list);
  const keys = useRowKeys(rows, scroller, place.goTo);
  const older = useOlder(rows, scroller, cleared === undefined);
  useReveal(rows, scroller, place.release, keys.walk);
  useArrival();
  // How often somebody has asked to find something since nothing was looked for.
  const [asked, setAsked] = useState(0);
  useDeed("find", () => setAsked(asked + 1));
  const onClick = (event: { target: EventTarget }) => {
    const pressed = event.target instanceof Element ? event.target.closest("[aria-expanded], .more, .json-fold") : null;
    if (pressed) place.release(pressed.closest<HTMLElement>("[data-key]")?.dataset.key);
  };
  return (
    <div className="scroll-place">
      {asked === 0 ? null : (
        <Suspense>
          <FindBar asked={asked} root={scroller} onClose={() => setAsked(0)} />
        </Suspense>
      )}
      <div
        className="scroll"
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label="Conversation"
        tabIndex={-1}
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
        onClickCapture={onClick}
      >
        <div className="col">
          {older}
          {cleared === undefined ? null : <ClearedMark cleared={cleared} />}
          <Virtualizer
            as={PressableList}
            ref={list}
            scrollRef={scroller}
            data={rows}
            shift={place.isShift}
            startMargin={ABOVE}
            bufferSize={400}
            keepMounted={keys.active < 0 ? [] : [keys.active]}
            onResize={place.onResize}
          >
            {(row, at) => (
              <TimelineRow
                key={row.key}
                row={row}
                isActive={at === keys.active}
                spine={spineOf(rows[at - 1], rows[at + 1])}
              />
            )}
          </Virtualizer>
          <Tail />
          <Nothing isEmpty={all.length === 0} />
        </div>
        {place.isAtEnd ? null : (
          <div className="jump-place">
            <button type="button" className="btn jump" onClick={place.jump}>
              <Icon name="down" />
              Jump to latest{place.fresh > 0 ? ` (${place.fresh} new)` : ""}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}

function Nothing({ isEmpty }: { isEmpty: boolean }) {
  const isKnown = useKnown();
  const trouble = useTrouble();
  if (trouble) {
    return (
      <p className="empty is-danger" role="alert">
        {trouble.message}
      </p>
    );
  }
  if (!isKnown) return <Loading />;
  return isEmpty ? <p className="empty">Nothing was said yet.</p> : null;
}

/** Shown only if it takes a while. */
function Loading() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return isLate ? (
    <div className="skeletons">
      <span className="skel w2" />
      <span className="skel w3" />
      <span className="skel w1" />
      <span className="vh">Loading the conversation</span>
    </div>
  ) : null;
}
