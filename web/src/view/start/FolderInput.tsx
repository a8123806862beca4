// A path that is typed, with the folders that it could become below it: Tab takes one, and so do the arrows with Enter.

import { type ChangeEvent, type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { folders } from "../../api/server";
import { optionId, PopupList } from "../composer/PopupList";
import { fromHome, offersFor, parentOf } from "./offers";

type Props = Omit<ComponentProps<"input">, "onChange" | "value"> & {
  value: string;
  roots: readonly string[];
  home: string | null | undefined;
  onChange: (path: string) => void;
};

export function FolderInput({ value, roots, home, onChange, ...control }: Props) {
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isTyping, setTyping] = useState(false);
  const [moved, setMoved] = useState<number>();
  const inner = useInner(isTyping ? parentOf(value) : undefined);
  const offers = isTyping ? offersFor(value, inner, fromHome(value, roots, home)) : [];
  const isOpen = offers.length > 0;
  // Who has just taken one may go on with the next field: nothing is chosen before another letter.
  const active = Math.min(moved ?? (value.endsWith("/") ? -1 : 0), offers.length - 1);
  useEffect(() => {
    // Of a long path the end says more; not while somebody writes in it.
    const input = field.current;
    if (input && document.activeElement !== input && value !== "") input.scrollLeft = input.scrollWidth;
  }, [value]);
  const change = (path: string) => {
    setMoved(undefined);
    setTyping(true);
    onChange(path);
  };
  const take = (at: number): boolean => {
    const offer = offers[at];
    if (offer !== undefined) change(`${offer}/`);
    return offer !== undefined;
  };
  const move = (by: number): boolean => {
    setMoved((active + by + offers.length) % offers.length);
    return true;
  };
  const handled = (key: string): boolean => {
    switch (key) {
      case "ArrowDown":
        return move(1);
      case "ArrowUp":
        return move(active < 0 ? 0 : -1);
      case "Tab":
        return take(active);
      case "Enter":
        // Whoever has not chosen wants to send the form.
        return moved !== undefined && take(moved);
      case "Escape":
        setTyping(false);
        return true;
      default:
        return false;
    }
  };
  const pressed = (event: KeyboardEvent) => {
    if (!isOpen || event.shiftKey || event.nativeEvent.isComposing || !handled(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <input
        {...control}
        ref={field}
        className="mono"
        value={value}
        spellCheck={false}
        autoComplete="off"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen && active >= 0 ? optionId(list, active) : undefined}
        onChange={(event: ChangeEvent<HTMLInputElement>) => change(event.target.value)}
        onKeyDown={pressed}
        onBlur={() => setTyping(false)}
      />
      {isOpen ? (
        <PopupList
          id={list}
          popup={{
            options: offers.map((path) => ({ kind: "file", path: `${path}/` })),
            active,
            note: undefined,
            what: "Folders",
            point: setMoved,
          }}
          onChoose={take}
        />
      ) : null}
    </>
  );
}

/** The folders of a folder; none of one that is not there or not allowed. */
function useInner(parent: string | undefined): readonly string[] {
  const [inner, setInner] = useState<readonly string[]>([]);
  useEffect(() => {
    setInner([]);
    if (parent === undefined) return;
    let isOver = false;
    folders(parent).then(
      (found) => isOver || setInner(found.folders),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [parent]);
  return inner;
}
