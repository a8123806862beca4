// All keys: seen, found, changed by pressing others. What would clash is said and not kept.

import { useState } from "react";
import { Icon } from "../Icon";
import { ACTION_IDS, ACTIONS, type ActionId, FIXED, type Where } from "../keys/actions";
import { isOwn, keysOf, resetKeys, setKeys, useKeys } from "../keys/bindings";
import { ChordCaps } from "../keys/Caps";
import { readChords } from "../keys/chord";
import { SearchField } from "../shell/SearchField";
import { useAction } from "../shell/useAction";
import { KeyRecorder } from "./KeyRecorder";
import { Fault, Section } from "./parts";

const WHERE: Record<Where, string> = {
  anywhere: "Everywhere",
  page: "While nothing is typed",
  list: "On a row of the list",
  composer: "While writing to the agent",
  prompt: "On a prompt",
  form: "In a form",
};

export function Keys() {
  useKeys();
  const [query, setQuery] = useState("");
  const [changing, setChanging] = useState<ActionId>();
  const { run, error } = useAction();
  const fits = (words: string) => words.toLowerCase().includes(query.trim().toLowerCase());
  const shown = ACTION_IDS.filter((action) => fits(ACTIONS[action].words));
  const places = Object.keys(WHERE) as Where[];
  const isAny = ACTION_IDS.some(isOwn);
  return (
    <>
      <div className="panel-tools">
        <SearchField label="Find a key by what it does" value={query} onChange={setQuery} />
        <button type="button" className="btn" disabled={!isAny} onClick={() => run(resetKeys)}>
          Reset all
        </button>
      </div>
      <Fault words={error} />
      {places.map((where) => {
        const actions = shown.filter((action) => ACTIONS[action].where === where);
        const fixed = FIXED.filter((each) => each.where === where && fits(each.words));
        return actions.length + fixed.length === 0 ? null : (
          <Section key={where} title={WHERE[where]}>
            <ul className="rows">
              {actions.map((action) =>
                changing === action ? (
                  <KeyRecorder key={action} action={action} onDone={() => setChanging(undefined)} />
                ) : (
                  <KeyRow
                    key={action}
                    action={action}
                    onChange={() => setChanging(action)}
                    onReset={() => run(() => setKeys(action, null))}
                  />
                ),
              )}
              {fixed.map((each) => (
                <li key={each.words} className="key-row">
                  <span className="grow">{each.words}</span>
                  <Chords chords={readChords(each.keys)} />
                  <span className="hint key-fixed">always</span>
                </li>
              ))}
            </ul>
          </Section>
        );
      })}
      {shown.length === 0 && !FIXED.some(({ words }) => fits(words)) ? (
        <p className="empty">Nothing found for “{query}”. Try fewer words.</p>
      ) : null}
    </>
  );
}

function KeyRow({ action, onChange, onReset }: { action: ActionId; onChange: () => void; onReset: () => void }) {
  const { words } = ACTIONS[action];
  return (
    <li className="key-row">
      <span className="grow">{words}</span>
      {isOwn(action) ? (
        <button
          type="button"
          className="ibtn sm"
          aria-label={`Reset the keys for ${words}`}
          title="Reset"
          onClick={onReset}
        >
          <Icon name="refresh" />
        </button>
      ) : null}
      <Chords chords={keysOf(action)} />
      <button
        type="button"
        className="btn quiet sm"
        data-action={action}
        aria-label={`Change the keys for ${words}`}
        onClick={onChange}
      >
        Change
      </button>
    </li>
  );
}

function Chords({ chords }: { chords: readonly string[] }) {
  return (
    <span className="chords">
      {chords.length === 0 ? <span className="hint">no keys</span> : null}
      {chords.map((chord) => (
        <ChordCaps key={chord} chord={chord} />
      ))}
    </span>
  );
}
