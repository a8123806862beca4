// Search over everything that was said and done: facets, hits by session, and a look at the one that is chosen.

import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { type Hit, MOST_HITS } from "../../api/search";
import { useSessionList, useSessions } from "../../store/use";
import { useNarrow } from "../composer/use";
import { Arc, Icon } from "../Icon";
import { useNow } from "../now";
import { placeHref } from "../route";
import { Glyph } from "../shell/SessionRow";
import { counted, duration, lastPart } from "../words";
import { FacetList } from "./FacetList";
import { arrangeHits, EVERYTHING, type Facets, type Found, type HitGroup } from "./found";
import { HitLink } from "./HitLink";
import { HitPreview } from "./HitPreview";
import { type Looked, useSearch } from "./useSearch";

export default function SearchPage({ text: first }: { text: string }) {
  const sessions = useSessions();
  const list = useSessionList();
  const [text, setText] = useText(first);
  const [facets, setFacets] = useState<Facets>(EVERYTHING);
  const looked = useSearch(text);
  const now = useNow(false);
  const isNarrow = useNarrow();
  const found = useMemo(() => {
    const folders = new Map(list.map((row) => [row.id, row.cwd ?? undefined]));
    return arrangeHits(looked.hits, facets, (id) => folders.get(id), now);
  }, [looked.hits, facets, list, now]);
  const [chosen, setChosen] = useState<Hit>();
  const best = found.groups[0]?.hits[0];
  const selected = chosen && found.groups.some(({ hits }) => hits.includes(chosen)) ? chosen : best;
  const root = useRef<HTMLDivElement>(null);
  return (
    <main className="main page search-page">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys go from the field to the links and between them. */}
      <div className="search-all" ref={root} onKeyDown={(event) => walked(event, root.current)}>
        <header className="page-head search">
          <SearchField text={text} onText={setText} looked={looked} found={found} />
        </header>
        {looked.text === undefined && !looked.isLooking ? (
          <p className="empty">Words of prompts, answers, commands and paths, in all sessions.</p>
        ) : (
          <div className="search-grid">
            <FacetList found={found} facets={facets} onChange={(part) => setFacets({ ...facets, ...part })} />
            <div className="search-hits">
              {looked.error === undefined ? null : (
                <p className="is-danger" role="alert">
                  {looked.error}
                </p>
              )}
              {found.hits === 0 && looked.text !== undefined ? (
                <Nothing text={looked.text} all={looked.hits.length} />
              ) : null}
              {found.groups.map((group) => (
                <Group
                  key={group.session}
                  group={group}
                  title={sessions.title(group.session) ?? group.hits[0]?.title ?? "New session"}
                  folder={sessions.row(group.session)?.cwd ?? undefined}
                  isArchived={sessions.isArchived(group.session)}
                  selected={selected}
                  now={now}
                  onSelect={setChosen}
                />
              ))}
            </div>
            {selected && !isNarrow ? <HitPreview hit={selected} /> : null}
          </div>
        )}
      </div>
    </main>
  );
}

/** What is looked for stands in the address, so that it can be come back to. */
function useText(first: string): [string, (text: string) => void] {
  const [text, setText] = useState(first);
  const kept = useRef(first);
  useEffect(() => {
    // Somebody came here with other words.
    if (first !== kept.current) setText(first);
    kept.current = first;
  }, [first]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text === kept.current) return;
      kept.current = text;
      history.replaceState(null, "", placeHref(text === "" ? { page: "search" } : { page: "search", text }));
    }, 400);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}

function SearchField(props: { text: string; onText: (text: string) => void; looked: Looked; found: Found }) {
  const { text, onText, looked, found } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const many = looked.hits.length >= MOST_HITS ? "more than " : "";
  return (
    <div className="input find-box search-box">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        value={text}
        aria-label="Search all sessions"
        placeholder="Search all sessions"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onText(event.target.value)}
      />
      <span className="hint num" role="status">
        {looked.isLooking ? <Arc /> : null}
        {looked.text === undefined
          ? ""
          : `${many}${counted(found.hits, "hit")} in ${counted(found.groups.length, "session")}${looked.isLooking ? "" : ` · ${duration(looked.ms)}`}`}
      </span>
      {text === "" ? null : (
        <button
          type="button"
          className="ibtn sm"
          aria-label="Clear"
          onClick={() => {
            onText("");
            field.current?.focus();
          }}
        >
          <Icon name="x" />
        </button>
      )}
    </div>
  );
}

function Nothing({ text, all }: { text: string; all: number }) {
  return (
    <p className="empty">
      {all === 0
        ? `Nothing found for “${text}”. Try fewer words.`
        : `Nothing here, but ${counted(all, "hit")} elsewhere. Choose Everything.`}
    </p>
  );
}

/** So many of a session are shown at first. */
const SHOWN = 4;

function Group(props: {
  group: HitGroup;
  title: string;
  folder: string | undefined;
  isArchived: boolean;
  selected: Hit | undefined;
  now: number;
  onSelect: (hit: Hit) => void;
}) {
  const { group, title, folder, isArchived, selected, now, onSelect } = props;
  const sessions = useSessions();
  const row = sessions.row(group.session);
  const [isAll, setAll] = useState(false);
  const shown = isAll ? group.hits : group.hits.slice(0, SHOWN);
  const rest = group.hits.length - shown.length;
  return (
    <section aria-label={title}>
      <h2 className="hit-group">
        <span className="hit-state">
          {row ? <Glyph row={row} group={sessions.group(row)} kind={sessions.askKind(row)} /> : null}
        </span>
        <span className="cut">{title}</span>
        <span className="muted cut">
          {folder === undefined ? "" : lastPart(folder)}
          {isArchived ? " · archived" : ""}
        </span>
        <span className="grow" />
        <span className="num">{group.hits.length}</span>
      </h2>
      <ul>
        {shown.map((hit) => (
          <li key={`${hit.kind}:${hit.item}`}>
            <HitLink hit={hit} now={now} folder={folder} isSelected={hit === selected} onFocus={() => onSelect(hit)} />
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <button type="button" className="btn quiet sm more-hits" onClick={() => setAll(true)}>
          {rest} more in this session
        </button>
      ) : null}
    </section>
  );
}

/** Down goes from the field into the hits and through them, Up back; Enter in the field opens the one that is chosen. */
function walked(event: KeyboardEvent, root: HTMLElement | null): void {
  if (root === null || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = root.querySelector<HTMLElement>("input[type=search]");
  const links = [...root.querySelectorAll<HTMLElement>("a.hit")];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const isField = event.target === field;
  if (!isField && at < 0) return;
  if (event.key === "ArrowDown") links[at + 1]?.focus();
  else if (event.key === "ArrowUp") (links[at - 1] ?? field)?.focus();
  else if (event.key === "Enter" && isField) (root.querySelector<HTMLElement>("a.hit.sel") ?? links[0])?.click();
  else return;
  event.preventDefault();
}
