// The conversation, from top to bottom: only the rows that are seen are drawn, however many there are.

import { useEffect, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useKnown, useRows, useTrouble } from "../../store/use";
import { Icon } from "../Icon";
import { RawProvider } from "../item/Raw";
import { PinnedJobs } from "./PinnedJobs";
import { Tail } from "./Tail";
import { spineOf, TimelineRow } from "./TimelineRow";
import { useOlder } from "./useOlder";
import { useReadingPlace } from "./useReadingPlace";
import { useRowKeys } from "./useRowKeys";

export function Timeline() {
  return (
    <RawProvider>
      <PinnedJobs />
      <Conversation />
    </RawProvider>
  );
}

/** The room above the first row, in pixels. */
const ABOVE = 8;

function Conversation() {
  const rows = useRows();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const place = useReadingPlace(rows, scroller, list);
  const keys = useRowKeys(rows, scroller, list);
  const older = useOlder(rows, scroller);
  const onClick = (event: { target: EventTarget }) => {
    if (event.target instanceof Element && event.target.closest("[aria-expanded], .more, .json-fold")) place.release();
  };
  return (
    <div className="scroll-place">
      <div
        className="scroll"
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label="Conversation"
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
        onClickCapture={onClick}
      >
        <div className="col">
          {older}
          <Virtualizer
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
          <Nothing isEmpty={rows.length === 0} />
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
        {sentence(trouble.message)}
      </p>
    );
  }
  if (!isKnown) return <Loading />;
  return isEmpty ? <p className="empty">Nothing was said yet.</p> : null;
}

function sentence(words: string): string {
  const first = words.slice(0, 1).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
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
