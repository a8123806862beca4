// A look at what was found, in its place: the item and what came just before it, brought from the server without watching the
// session.

import { useEffect, useRef, useState } from "react";
import { get, inSession, messageOf, query } from "../../api/http";
import type { Hit } from "../../api/search";
import type { Item } from "../../generated";
import { SessionStore } from "../../store/session";
import { SessionContext, useSessions, useSocket } from "../../store/use";
import { Arc, Icon } from "../Icon";
import { ItemView } from "../item/ItemView";
import { clock, exactly, lastPart } from "../words";
import { hitHref, Snippet } from "./HitLink";
import { canMark, useMarks } from "./marks";

/** So many items are brought, and so many before the found one are shown. */
const BROUGHT = 40;
const BEFORE = 2;
/** So many records later it is looked for, too. */
const LATER = 500;
const PAUSE_MS = 120;

type Look = { store: SessionStore; shown: readonly Item[] } | { error: string } | undefined;

export function HitPreview({ hit }: { hit: Hit }) {
  const sessions = useSessions();
  const look = useLook(hit);
  const body = useRef<HTMLElement>(null);
  useMarks(body, hit);
  const row = sessions.row(hit.session);
  return (
    <aside className="preview" aria-label="What was found">
      <div className="preview-head">
        <div className="row">
          <h2 className="cut">{sessions.title(hit.session) ?? hit.title ?? "New session"}</h2>
          <span className="grow" />
          <a className="btn sm" href={hitHref(hit)}>
            Open here
            <Icon name="right" />
          </a>
        </div>
        <p className="hint" title={exactly(hit.at)}>
          {row?.cwd ? `${lastPart(row.cwd)} · ` : ""}
          {new Date(hit.at).toLocaleDateString(undefined, { day: "numeric", month: "short" })}, {clock(hit.at)}
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached without a pointer. */}
      <section ref={body} className="preview-body" tabIndex={0} aria-label="In its place">
        {canMark ? null : (
          <p className="preview-snippet">
            <Snippet pieces={hit.snippet} />
          </p>
        )}
        {look === undefined ? (
          <p className="row muted">
            <Arc /> Loading
          </p>
        ) : "error" in look ? (
          <p className="is-danger" role="alert">
            {look.error}
          </p>
        ) : (
          <SessionContext value={look.store}>
            {look.shown.map((item) => (
              <div key={item.id} className={item.id === hit.item ? "preview-item found" : "preview-item"}>
                <ItemView id={item.id} />
              </div>
            ))}
          </SessionContext>
        )}
      </section>
    </aside>
  );
}

function useLook(hit: Hit): Look {
  const socket = useSocket();
  const cwd = useSessions().row(hit.session)?.cwd ?? undefined;
  const [look, setLook] = useState<Look>();
  const { session, seq, item, kind } = hit;
  useEffect(() => {
    setLook(undefined);
    const abort = new AbortController();
    // Who goes through the hits does not stop at each.
    const timer = setTimeout(() => {
      bring({ session, seq, item, kind }, abort.signal).then(
        (items) => {
          const store = new SessionStore(session, socket);
          store.show(items, cwd);
          setLook({ store, shown: around(items, item) });
        },
        (cause: unknown) => {
          if (!abort.signal.aborted) setLook({ error: messageOf(cause) });
        },
      );
    }, PAUSE_MS);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [socket, session, seq, item, kind, cwd]);
  return look;
}

/**
 * The items up to the found one; of a title, the last ones. What a person said stands where the agent took it, which may be later
 * than it was said.
 */
async function bring(hit: Pick<Hit, "session" | "seq" | "item" | "kind">, signal: AbortSignal): Promise<Item[]> {
  const upTo = async (before: number | undefined, limit: number) => {
    const path = inSession(hit.session, "items") + query({ before, limit });
    return (await get<{ items: Item[] }>(path, signal)).items;
  };
  if (hit.kind === "title") return upTo(undefined, BROUGHT);
  const items = await upTo(hit.seq + 1, BROUGHT);
  return items.some(({ id }) => id === hit.item) ? items : upTo(hit.seq + LATER, LATER);
}

/** The found one, and what stands just before it; where it is not among them, the last ones. */
function around(items: readonly Item[], id: string): readonly Item[] {
  const drawn = items.filter(({ body }) => body.kind !== "turn" && body.kind !== "hook");
  const at = drawn.findIndex((item) => item.id === id);
  const end = at < 0 ? drawn.length : at + 1;
  return drawn.slice(Math.max(0, end - 1 - BEFORE), end);
}
