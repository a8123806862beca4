// Finds words in the conversation that is in front. The browser cannot: it knows only the rows that are drawn.

import { type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { Item } from "../../generated";
import { useItems, useSession } from "../../store/use";
import { Icon } from "../Icon";
import { openUp } from "../item/open";
import { isComposing } from "../keys/chord";
import { act } from "../keys/deeds";
import { useMarkedWords } from "../search/marks";
import { reveal } from "../timeline/reveal";
import { findIn } from "./find";

/** `asked` grows each time that somebody wants to find something; `onClose` is called when he does not any more. */
export function FindBar(props: { asked: number; root: RefObject<HTMLElement | null>; onClose: () => void }) {
  const session = useSession();
  const field = useRef<HTMLInputElement>(null);
  const [typed, type] = useState("");
  const words = useDeferredValue(typed).trim();
  const found = useItems(useCallback((items: readonly Item[]) => findIn(items, words), [words]));
  const [at, setAt] = useState<string>();
  const [isBringing, setBringing] = useState(false);
  const marked = useMemo(() => (words === "" ? [] : [words]), [words]);
  useMarkedWords(props.root, marked);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever asks again wants to write something else.
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [props.asked]);

  const show = (id: string | undefined, isQuiet = true) => {
    setAt(id);
    if (id === undefined) return;
    // What was found may be in what is closed.
    openUp(session, id);
    reveal(session, id, isQuiet);
  };
  // The last place comes first: it is nearest to where one reads.
  const place = at === undefined ? -1 : found.indexOf(at);
  const go = (by: 1 | -1) => {
    // Who types and presses Enter at once is faster than what is drawn.
    const all = typed.trim() === words ? found : findIn(session.items(), typed);
    const next = place < 0 ? all.length - 1 : (place + by + all.length) % all.length;
    show(all[next]);
  };
  const close = () => {
    if (place >= 0) show(at, false);
    else act("write");
    props.onClose();
  };
  const bring = async () => {
    setBringing(true);
    const before = found.length;
    try {
      while (findIn(session.items(), words).length === before && (await session.bringOlder()));
    } catch {
      // What is here stays; the button is still there to try again.
    }
    setBringing(false);
    field.current?.focus();
  };
  const count =
    words === ""
      ? ""
      : found.length === 0
        ? "Nothing found"
        : place < 0
          ? `${found.length}`
          : `${place + 1} of ${found.length}`;
  return (
    <search className="find-bar">
      <div className="input find-box">
        <Icon name="search" className="faint" />
        <input
          ref={field}
          type="search"
          value={typed}
          placeholder="Find in this session"
          aria-label="Find in this session"
          onChange={(event) => {
            type(event.target.value);
            setAt(undefined);
          }}
          onKeyDown={(event) => {
            if (isComposing(event)) return;
            if (event.key === "Escape") close();
            else if (event.key === "Enter") go(event.shiftKey ? 1 : -1);
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <span className="num faint" role="status">
          {count}
        </span>
      </div>
      <button
        type="button"
        className="ibtn sm"
        aria-label="Earlier place"
        title="Earlier (Enter)"
        disabled={found.length === 0}
        onClick={() => go(-1)}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        className="ibtn sm"
        aria-label="Later place"
        title="Later (Shift+Enter)"
        disabled={found.length === 0}
        onClick={() => go(1)}
      >
        <Icon name="down" />
      </button>
      <button type="button" className="ibtn sm" aria-label="Close the search" title="Close (Esc)" onClick={close}>
        <Icon name="x" />
      </button>
      {words !== "" && session.hasOlder() ? (
        <button type="button" className="btn quiet sm" disabled={isBringing} onClick={() => void bring()}>
          {isBringing ? "Looking" : "Look in older turns"}
        </button>
      ) : null}
    </search>
  );
}
