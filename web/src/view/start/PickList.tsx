// Conversations to choose one from: found by words of their title and folder. What stands between the field and the list (what
// failed, what is still to come) is put there by who knows it.

import { type ReactNode, useState } from "react";
import { Arc, Icon, type IconName } from "../Icon";
import { useNow } from "../now";
import { SearchField } from "../shell/SearchField";
import { counted, exactly, finder, when } from "../words";

export type Pick = { id: string; title: string; folder: string | null | undefined; at: number; words: string };

/** Of more than these the first are shown. */
const SHOWN = 100;

export function PickList({
  picks,
  icon,
  emptyWords,
  isBusy,
  onPick,
  children,
}: {
  /** Nothing while they are not known. */
  picks: readonly Pick[] | undefined;
  icon: IconName;
  emptyWords: string;
  /** The one that was chosen is on its way: no other can be. */
  isBusy: boolean;
  onPick: (id: string) => void;
  children?: ReactNode;
}) {
  const now = useNow(false);
  const [filter, setFilter] = useState("");
  const [chosen, setChosen] = useState<string>();
  const fits = finder(filter);
  const found = (picks ?? []).filter(({ title, folder }) => fits(`${title} ${folder ?? ""}`));
  return (
    <>
      <SearchField label="Find by title or folder" hint="Title or folder" isFirst value={filter} onChange={setFilter} />
      {children}
      {picks !== undefined && found.length === 0 ? (
        <p className="empty">{filter === "" ? emptyWords : `Nothing found for “${filter}”. Try fewer words.`}</p>
      ) : null}
      <ul className="transcripts">
        {found.slice(0, SHOWN).map(({ id, title, at, words }) => (
          <li key={id}>
            <button
              type="button"
              className="srow"
              disabled={isBusy}
              onClick={() => {
                setChosen(id);
                onPick(id);
              }}
            >
              <span className="glyph">
                {isBusy && chosen === id ? <Arc /> : <Icon name={icon} className="faint" />}
              </span>
              <span className="title cut">{title}</span>
              <time className="when" title={exactly(at)}>
                {when(at, now)}
              </time>
              <span className="sub cut">{words}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > SHOWN ? (
        <p className="hint">{counted(found.length - SHOWN, "older one")}. Type words of the title.</p>
      ) : null}
    </>
  );
}
