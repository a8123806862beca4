// Ways to start a session that are kept under a name: chosen, kept, renamed, deleted. The form's options go in; those of the
// preset that was chosen come out.

import { type KeyboardEvent, useEffect, useId, useState } from "react";
import type { Options } from "../../api/server";
import { changeOwn, isOwnKnown, loadOwn, useOwn } from "../../store/own";
import { Arc, Icon } from "../Icon";
import { Failure } from "../shell/Failure";
import { Menu, type MenuSection } from "../shell/Menu";
import { useAction } from "../shell/useAction";
import { lastPart } from "../words";
import { freeName } from "./presetNames";

export type Kept = Readonly<Record<string, Options>>;

export type PresetShelf = {
  /** Nothing while they are not known. */
  presets: Kept | undefined;
  error: string | undefined;
  isBusy: boolean;
  keep: (name: string, options: Options, then: () => void) => void;
  rename: (from: string, to: string, then: () => void) => void;
  remove: (name: string) => void;
};

export function usePresets(): PresetShelf {
  const own = useOwn();
  const presets: Kept | undefined = isOwnKnown() ? own.presets : undefined;
  const { run, isBusy, error } = useAction();
  useEffect(() => {
    if (!isOwnKnown()) run(loadOwn);
  }, [run]);
  const change = (part: Record<string, Options | null>, then: () => void) =>
    run(() => changeOwn({ presets: part }), then);
  return {
    presets,
    error,
    isBusy,
    keep: (name, options, then) => change({ [name]: options }, then),
    rename: (from, to, then) => {
      const options = presets?.[from];
      if (options === undefined || from === to) then();
      else change({ [to]: options, [from]: null }, then);
    },
    remove: (name) => change({ [name]: null }, () => {}),
  };
}

type Doing = "keep" | "arrange";

/** The button in the foot of the dialog. */
export function PresetMenu({
  shelf,
  onChoose,
  onDo,
}: {
  shelf: PresetShelf;
  onChoose: (options: Options) => void;
  onDo: (doing: Doing) => void;
}) {
  const named = Object.entries(shelf.presets ?? {});
  const sections: MenuSection[] = [
    {
      heading: "Fill the form with",
      entries: named.map(([name, options]) => ({
        label: name,
        hint: [options.model, options.cwd && lastPart(options.cwd)].filter(Boolean).join(" · "),
        choose: () => onChoose(options),
      })),
    },
    {
      entries: [
        { label: "Keep this as a preset …", icon: "plus" as const, choose: () => onDo("keep") },
        ...(named.length > 0
          ? [{ label: "Rename or delete …", icon: "edit" as const, choose: () => onDo("arrange") }]
          : []),
      ],
    },
  ].filter(({ entries }) => entries.length > 0);
  return (
    <Menu
      label="Presets"
      className="btn quiet preset-button"
      button={
        <>
          Presets
          {named.length > 0 ? <span className="num faint">{named.length}</span> : null}
          <Icon name="down" />
        </>
      }
      sections={sections}
    />
  );
}

/** Where one is kept, or all of them are put in order. */
export function PresetDesk({
  doing,
  shelf,
  options,
  onClose,
}: {
  doing: Doing;
  shelf: PresetShelf;
  /** What would be kept; none while the form is not right. */
  options: Options | undefined;
  onClose: () => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a part of the form.
    <div className="browser preset-desk" role="group" aria-label="Presets">
      <div className="browser-head">
        <strong>{doing === "keep" ? "Keep this as a preset" : "Presets"}</strong>
        <span className="grow" />
        {shelf.isBusy ? <Arc /> : null}
        <button type="button" className="ibtn sm" aria-label="Close the presets" onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      <Failure words={shelf.error} />
      {doing === "keep" ? <Keep shelf={shelf} options={options} onClose={onClose} /> : <Arrange shelf={shelf} />}
    </div>
  );
}

function Keep({ shelf, options, onClose }: { shelf: PresetShelf; options: Options | undefined; onClose: () => void }) {
  const [name, setName] = useState(() => freeName(Object.keys(shelf.presets ?? {})));
  const id = useId();
  const isThere = shelf.presets !== undefined && name.trim() in shelf.presets;
  const keep = () => {
    if (options !== undefined && name.trim() !== "") shelf.keep(name.trim(), options, onClose);
  };
  return (
    <div className="preset-keep">
      <label className="vh" htmlFor={id}>
        Name of the preset
      </label>
      <input
        id={id}
        // It was opened in order to be written in.
        // biome-ignore lint/a11y/noAutofocus: the reader has just asked for it.
        autoFocus
        className="input"
        value={name}
        maxLength={80}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => onEnter(event, keep)}
      />
      <button
        type="button"
        className="btn"
        disabled={shelf.isBusy || options === undefined || name.trim() === ""}
        onClick={keep}
      >
        {isThere ? "Replace" : "Keep"}
      </button>
      <p className="hint">
        {options === undefined ? "Something in the form is not right yet." : "All options, without the first message."}
      </p>
    </div>
  );
}

/** Enter in a field of its own is not the form's. */
function onEnter(event: KeyboardEvent, action: () => void): void {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

function Arrange({ shelf }: { shelf: PresetShelf }) {
  const names = Object.keys(shelf.presets ?? {});
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>
          <PresetRow name={name} names={names} shelf={shelf} />
        </li>
      ))}
      {names.length === 0 ? <li className="hint">No presets are kept.</li> : null}
    </ul>
  );
}

function PresetRow({ name, names, shelf }: { name: string; names: readonly string[]; shelf: PresetShelf }) {
  const [text, setText] = useState(name);
  const [isSure, setSure] = useState(false);
  const wanted = text.trim();
  const isTaken = wanted !== name && names.includes(wanted);
  const rename = () => {
    if (wanted === "" || isTaken) setText(name);
    else if (wanted !== name) shelf.rename(name, wanted, () => {});
  };
  return (
    <div className="preset-row">
      <input
        className={isTaken ? "input error" : "input"}
        aria-label={`Name of the preset ${name}`}
        aria-invalid={isTaken}
        value={text}
        maxLength={80}
        onChange={(event) => setText(event.target.value)}
        onBlur={rename}
        onKeyDown={(event) => onEnter(event, rename)}
      />
      <button
        type="button"
        className={isSure ? "btn sm danger" : "btn sm quiet"}
        aria-label={isSure ? `Delete ${name} for good` : `Delete ${name}`}
        disabled={shelf.isBusy}
        onBlur={() => setSure(false)}
        onClick={() => (isSure ? shelf.remove(name) : setSure(true))}
      >
        {isSure ? "Really delete" : "Delete"}
      </button>
      {isTaken ? <p className="hint is-danger">There is one of this name.</p> : null}
    </div>
  );
}
