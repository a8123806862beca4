// Above the list: what is shown of it, a field to find titles, and the way to a new session.

import { useEffect, useRef, useState } from "react";
import { Icon } from "../Icon";
import { openPalette } from "../palette/open";
import { go, placeHref } from "../route";
import { Menu, type MenuSection } from "./Menu";
import { useMedia } from "./useMedia";

/** What has no place at the bottom of a phone. */
const MORE: MenuSection = {
  entries: [
    { label: "Commands", icon: "slash", choose: () => openPalette() },
    { label: "Pair a device", icon: "device", choose: () => go({ page: "panel", panel: "devices" }) },
    { label: "Settings", icon: "settings", choose: () => go({ page: "panel", panel: "look" }) },
  ],
};

type Props = {
  filter: string;
  onFilter: (filter: string) => void;
  archived: boolean;
  onArchived: (archived: boolean) => void;
};

export function ListHead({ filter, onFilter, archived, onArchived }: Props) {
  const [isFinding, setFinding] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isPhone = useMedia("(max-width: 719px)");
  useEffect(() => {
    if (isFinding) field.current?.focus();
  }, [isFinding]);
  const leave = () => {
    onFilter("");
    setFinding(false);
  };
  const shown = {
    heading: "Show",
    entries: [
      { label: "Sessions", checked: !archived, choose: () => onArchived(false) },
      { label: "Archive", checked: archived, choose: () => onArchived(true) },
    ],
  };
  if (isFinding) {
    return (
      <div className="list-head">
        <div className="input find-box">
          <Icon name="search" className="faint" />
          <input
            ref={field}
            type="search"
            value={filter}
            placeholder="Title, folder or words"
            aria-label="Find sessions by title, folder or what was said"
            onChange={(event) => onFilter(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") {
                event.stopPropagation();
                leave();
              }
              if (event.key === "ArrowDown") {
                event.preventDefault();
                document.querySelector<HTMLElement>(".list .srow, .list .hit")?.focus();
              }
              if (event.key === "Enter" && !event.nativeEvent.isComposing && filter.trim() !== "") {
                event.preventDefault();
                document.querySelector<HTMLElement>(".list .srow, .list .hit")?.click();
              }
            }}
          />
          <button type="button" className="ibtn sm" aria-label="Stop finding" onClick={leave}>
            <Icon name="x" />
          </button>
        </div>
      </div>
    );
  }
  return (
    <div className="list-head">
      {archived ? (
        <button
          type="button"
          className="ibtn leave"
          aria-label="Back to the sessions"
          title="Back to the sessions"
          onClick={() => onArchived(false)}
        >
          <Icon name="left" />
        </button>
      ) : null}
      <h2>{archived ? "Archive" : "Sessions"}</h2>
      <span className="grow" />
      <button
        type="button"
        className="ibtn"
        aria-label="Find sessions"
        title="Find sessions"
        onClick={() => setFinding(true)}
      >
        <Icon name="search" />
      </button>
      <Menu
        label="What is shown"
        isIcon
        className="ibtn"
        button={<Icon name="filter" />}
        sections={isPhone ? [shown, MORE] : [shown]}
      />
      <a className="btn sm new-link" href={placeHref({ page: "new" })}>
        <Icon name="plus" />
        New
      </a>
    </div>
  );
}
