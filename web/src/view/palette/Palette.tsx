// Everything that can be done or gone to, found by a few letters. The focus stays in the field; the arrow keys go through what fits.

import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { Icon } from "../Icon";
import { isPressed } from "../keys/bindings";
import { Caps } from "../keys/Caps";
import { isComposing } from "../keys/chord";
import { useModal } from "../shell/useModal";
import { type Entry, fittingEntries } from "./entries";
import { closePalette } from "./open";
import { noteRecent, readRecent } from "./recent";
import { useEntries } from "./useEntries";

export function Palette({ start, session }: { start: string; session: string | undefined }) {
  const list = useId();
  const dialog = useModal();
  const [typed, setTyped] = useState(start);
  const [active, setActive] = useState(0);
  const [recent] = useState(readRecent);
  const entries = useEntries(session);
  const shown = useMemo(() => fittingEntries(entries, typed, recent), [entries, typed, recent]);
  const at = Math.min(active, Math.max(0, shown.length - 1));
  const rows = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is active, or others are shown.
  useEffect(() => {
    rows.current?.querySelector(`[aria-selected="true"]`)?.scrollIntoView({ block: "nearest" });
  }, [at, shown]);
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    noteRecent(entry.id);
    // What lies behind a dialog cannot have the focus, which what was chosen may want.
    dialog.current?.close();
    closePalette();
    entry.run();
  };
  const pressed = (event: KeyboardEvent) => {
    // What is pressed here means nothing to the page behind.
    event.stopPropagation();
    if (isComposing(event)) return;
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (event.key === "Enter") choose(shown[at]);
    else if (event.key === "Tab")
      setActive((at + (event.shiftKey ? -1 : 1) + shown.length) % Math.max(1, shown.length));
    else if (move === 1 || move === -1) setActive((at + move + shown.length) % Math.max(1, shown.length));
    else if (move !== undefined) setActive(Math.max(0, Math.min(shown.length - 1, at + move)));
    else if (isPressed("palette", event)) closePalette();
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label="Commands, sessions and settings"
      onCancel={(event) => {
        event.preventDefault();
        closePalette();
      }}
      onKeyDown={pressed}
      onPointerDown={(event) => {
        // Beside it is out of it.
        if (event.target === event.currentTarget) closePalette();
      }}
    >
      <div className="palette-in">
        <div className="palette-field">
          <Icon name="search" className="faint" />
          <input
            data-autofocus
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={shown.length > 0 ? `${list}-${at}` : undefined}
            aria-label="Find commands, sessions and settings"
            placeholder="Command, session, setting"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="go"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setActive(0);
            }}
          />
          <button type="button" className="ibtn" aria-label="Close" tabIndex={-1} onClick={closePalette}>
            <Icon name="x" />
          </button>
        </div>
        <div ref={rows} id={list} className="palette-list" role="listbox" aria-label="What fits">
          {shown.map((entry, number) => (
            <Line
              key={entry.id}
              id={`${list}-${number}`}
              entry={entry}
              isActive={number === at}
              onPoint={() => setActive(number)}
              onChoose={() => choose(entry)}
            />
          ))}
        </div>
        {shown.length === 0 ? (
          <p className="empty" role="status">
            Nothing found for “{typed}”. Try fewer letters.
          </p>
        ) : null}
        <p className="palette-foot hint" aria-hidden="true">
          <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> go <kbd>/</kbd> commands of the agent <kbd>Esc</kbd> close
        </p>
      </div>
    </dialog>
  );
}

type LineProps = { id: string; entry: Entry; isActive: boolean; onPoint: () => void; onChoose: () => void };

function Line({ id, entry, isActive, onPoint, onChoose }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      className={entry.needsYou ? "palette-row needs" : "palette-row"}
      aria-selected={isActive}
      onPointerMove={() => {
        if (!isActive) onPoint();
      }}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon name={entry.icon} />
      <span className={entry.kind === "Command" ? "mono palette-label cut" : "palette-label cut"}>{entry.label}</span>
      {entry.detail === undefined ? <span className="grow" /> : <span className="detail cut grow">{entry.detail}</span>}
      {entry.action === undefined ? null : <Caps action={entry.action} />}
      <span className="palette-kind">{entry.needsYou ? "Needs you" : entry.kind}</span>
    </div>
  );
}
