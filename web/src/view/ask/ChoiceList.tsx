// How long a yes holds: one radio a choice, with its key; a rule can be edited in place.

import { Fragment, useId } from "react";
import { Icon } from "../Icon";
import { type Choice, DESTINATIONS, type Edited, isAllowing, type Piece, reworded, ruleFault } from "./choices";
import { toEnd } from "./control";
import { Key } from "./Key";
import { RuleEffect } from "./RuleEffect";

export function ChoiceList(props: {
  choices: readonly Choice[];
  chosen: number;
  onChoose: (number: number) => void;
  /** What was made of the rules, by the number of the choice. */
  edited: ReadonlyMap<number, Edited>;
  onEdit: (number: number, edited: Edited | undefined) => void;
  isDisabled: boolean;
}) {
  const { choices, chosen, edited } = props;
  const name = useId();
  const firstRule = choices.findIndex((choice) => choice.rules !== undefined);
  return (
    <div className="choices" role="radiogroup" aria-label="How long this holds">
      {choices.map((offered, number) => {
        const isOn = number === chosen;
        const change = edited.get(number);
        const choice = reworded(offered, change);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the number is the choice's name.
          <div key={number}>
            <div className={isOn ? "choice on" : "choice"}>
              <label className="pick">
                <input
                  type="radio"
                  className="radio"
                  name={name}
                  checked={isOn}
                  disabled={props.isDisabled}
                  data-first={isOn ? "" : undefined}
                  onChange={() => props.onChoose(number)}
                />
                <span className={choice.isDangerous ? "what is-danger" : "what"}>
                  <span>
                    <Pieces of={choice.what} />
                  </span>{" "}
                  <span className="dest">
                    <Pieces of={choice.scope} />
                  </span>
                </span>
              </label>
              {choice.rules === undefined ? (
                choice.key === undefined || (choice.key === "A" && isOn) ? null : (
                  <Key action={choice.key === "A" ? "allowOnce" : "allowSession"} />
                )
              ) : (
                <button
                  type="button"
                  className="btn quiet sm"
                  disabled={props.isDisabled}
                  onClick={() => props.onEdit(number, change === undefined ? startOf(choice) : undefined)}
                >
                  {change === undefined ? "Edit rule" : "Reset"}
                  {change === undefined && number === firstRule ? <Key action="editRule" /> : null}
                </button>
              )}
            </div>
            {change === undefined ? null : (
              <RuleEditor
                edited={change}
                onEdit={(next) => props.onEdit(number, next)}
                isAllowing={isAllowing(offered)}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

export function startOf(choice: Choice): Edited {
  return { rules: (choice.rules ?? []).join("\n"), destination: choice.destination ?? "session" };
}

function RuleEditor(props: { edited: Edited; onEdit: (edited: Edited) => void; isAllowing: boolean }) {
  const { edited, onEdit, isAllowing } = props;
  const fault = ruleFault(edited.rules);
  const faultId = useId();
  const isKnown = DESTINATIONS.some(({ value }) => value === edited.destination);
  const common = {
    className: fault === undefined ? "input mono" : "input mono error",
    "aria-label": "Rule",
    "aria-invalid": fault !== undefined,
    "aria-describedby": fault === undefined ? undefined : faultId,
    value: edited.rules,
    spellCheck: false,
    autoCapitalize: "off",
    autoComplete: "off",
    // It was opened in order to be written in.
    autoFocus: true,
    onFocus: toEnd,
  } as const;
  return (
    <div className="rule">
      {edited.rules.includes("\n") ? (
        <textarea
          {...common}
          rows={edited.rules.split("\n").length}
          onChange={(event) => onEdit({ ...edited, rules: event.target.value })}
        />
      ) : (
        <input {...common} type="text" onChange={(event) => onEdit({ ...edited, rules: event.target.value })} />
      )}
      <div className="select-box">
        <select
          className="input"
          aria-label="Where the rule is kept"
          value={edited.destination}
          onChange={(event) => onEdit({ ...edited, destination: event.target.value })}
        >
          {isKnown ? null : <option value={edited.destination}>{edited.destination}</option>}
          {DESTINATIONS.map(({ value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </div>
      {fault !== undefined ? (
        <p id={faultId} className="hint is-danger">
          {fault}
        </p>
      ) : isAllowing ? (
        <RuleEffect edited={edited} />
      ) : null}
    </div>
  );
}

function Pieces({ of }: { of: readonly Piece[] }) {
  return of.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a sentence stay where they are.
    <Fragment key={at}>{typeof piece === "string" ? piece : <code>{piece.code}</code>}</Fragment>
  ));
}
