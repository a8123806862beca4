// Below the list while somebody looks for a session: places in conversations that have the words, and the way to all of them.

import { useNow } from "../now";
import { placeHref } from "../route";
import { HitLink } from "./HitLink";
import { useSearch } from "./useSearch";

const SHOWN = 8;

export default function FoundInside({ text }: { text: string }) {
  const { hits, error, text: lookedFor } = useSearch(text, SHOWN + 1);
  const now = useNow(false);
  // Titles are in the list above.
  const inside = hits.filter(({ kind }) => kind !== "title");
  if (error !== undefined) {
    return (
      <p className="empty is-danger" role="alert">
        {error}
      </p>
    );
  }
  if (lookedFor === undefined) return null;
  return (
    <section aria-label="In conversations" className="found-inside">
      <h3 className="group">In conversations</h3>
      {inside.length === 0 ? <p className="hint found-none">Nobody said this.</p> : null}
      <ul>
        {inside.slice(0, SHOWN).map((hit) => (
          <li key={`${hit.session}:${hit.kind}:${hit.item}`}>
            <p className="found-title cut">{hit.title ?? "New session"}</p>
            <HitLink hit={hit} now={now} lead={28} />
          </li>
        ))}
      </ul>
      {inside.length > 0 ? (
        <a className="btn quiet sm more-rows" href={placeHref({ page: "search", text })}>
          All hits
        </a>
      ) : null}
    </section>
  );
}
