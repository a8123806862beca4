// The list above the composer that `@` and `/` open, and below other fields what they could become. The focus stays in the text: the active option is told by its id.

import { useEffect, useRef } from "react";
import { Icon } from "../Icon";
import type { Option, Popup } from "./usePopup";

export function optionId(list: string, at: number): string {
  return `${list}-${at}`;
}

/** What is offered, and which of it is meant; none if that is -1. */
type Offered = Pick<Popup, "options" | "active" | "note" | "what" | "point">;

export function PopupList({ id, popup, onChoose }: { id: string; popup: Offered; onChoose: (at: number) => void }) {
  const list = useRef<HTMLDivElement>(null);
  const { active } = popup;
  useEffect(() => {
    list.current?.querySelector(`[aria-selected="true"]`)?.scrollIntoView({ block: "nearest" });
  });
  return (
    <div className="popup">
      {popup.note === undefined ? null : (
        <p className="popup-note" role="status">
          {popup.note}
        </p>
      )}
      <div ref={list} id={id} role="listbox" aria-label={popup.what}>
        {popup.options.map((option, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field, which keeps the focus.
          <div
            key={nameOf(option)}
            id={optionId(id, at)}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            onPointerMove={() => {
              if (at !== active) popup.point(at);
            }}
            // A press must not take the focus away from the text.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(at)}
          >
            <OptionLine option={option} />
          </div>
        ))}
      </div>
    </div>
  );
}

function nameOf(option: Option): string {
  return option.kind === "file" ? option.path : option.command.name;
}

function OptionLine({ option }: { option: Option }) {
  if (option.kind === "file") {
    const isFolder = option.path.endsWith("/");
    const cut = option.path.lastIndexOf("/", isFolder ? option.path.length - 2 : undefined) + 1;
    return (
      <>
        <Icon name={isFolder ? "folder" : "file"} />
        <span className="mono">{option.path.slice(cut)}</span>
        <span className="detail cut-start">
          <bdi>{option.path.slice(0, cut)}</bdi>
        </span>
      </>
    );
  }
  const { name, aliases, argumentHint, description, isOurs, needsTerminal } = option.command;
  return (
    <>
      <span className="mono">/{name}</span>
      {aliases.length === 0 ? null : (
        <span className="mono faint cut hint-of">
          <span className="vh">also </span>
          {aliases.map((alias) => `/${alias}`).join(" ")}
        </span>
      )}
      {argumentHint === "" ? null : <span className="mono faint cut hint-of">{argumentHint}</span>}
      <span className="detail cut">{description}</span>
      {isOurs ? <span className="tag">this page</span> : null}
      {needsTerminal ? <span className="tag">needs a terminal</span> : null}
    </>
  );
}
