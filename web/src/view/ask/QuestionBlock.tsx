// One question: its options as cards, words of one's own, and how the option that is looked at would look.

import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { Clip, Question } from "../../generated";
import { Icon } from "../Icon";
import { isTyping } from "../shell/typing";
import { ShowAll, useWhole } from "../whole";
import { type Chosen, pick, pickOther, writeOther } from "./answers";
import { numberOf } from "./control";
import { Key } from "./Key";

export function QuestionBlock(props: {
  question: Question;
  chosen: Chosen;
  isDisabled: boolean;
  isArmed: () => boolean;
  onChoose: (chosen: Chosen) => void;
}) {
  const { question, chosen, onChoose } = props;
  const id = useId();
  const other = useRef<HTMLInputElement>(null);
  const [looked, lookAt] = useState<number>();
  const type = question.multiSelect ? "checkbox" : "radio";
  const otherNumber = question.options.length + 1;

  const onKeyDown = (event: KeyboardEvent) => {
    if (isTyping(event.target)) return;
    const number = numberOf(event);
    if (number < 1 || number > otherNumber) return;
    event.preventDefault();
    if (!props.isArmed() || props.isDisabled) return;
    if (number === otherNumber) {
      onChoose(pickOther(question, chosen, true));
      other.current?.focus();
    } else {
      onChoose(pick(question, chosen, number - 1));
      lookAt(number - 1);
    }
  };
  return (
    <fieldset className="q" aria-labelledby={id} onKeyDown={onKeyDown}>
      <div className="q-head">
        <h3 id={id}>{question.question}</h3>
        <span className="hint">{question.multiSelect ? "choose any" : "choose one"}</span>
      </div>
      <div className="opts">
        {question.options.map((option, at) => {
          const isOn = chosen.options.has(at);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the number is the option's name.
            <label key={at} className={isOn ? "opt on" : "opt"} onPointerEnter={() => lookAt(at)}>
              <input
                type={type}
                className={question.multiSelect ? "check" : "radio"}
                name={id}
                checked={isOn}
                disabled={props.isDisabled}
                data-first={at === 0 ? "" : undefined}
                onFocus={() => lookAt(at)}
                onChange={() => onChoose(pick(question, chosen, at))}
              />
              <span>
                <span className="l">{option.label}</span>
                {option.description === undefined ? null : <span className="d">{option.description}</span>}
              </span>
              {at < 9 ? <Key>{at + 1}</Key> : null}
            </label>
          );
        })}
        <div className={`opt free${chosen.isOther ? " on" : ""}${question.options.length % 2 === 0 ? " wide" : ""}`}>
          <input
            type={type}
            className={question.multiSelect ? "check" : "radio"}
            name={id}
            aria-label="Something else"
            checked={chosen.isOther}
            disabled={props.isDisabled}
            data-first={question.options.length === 0 ? "" : undefined}
            onChange={(event) => {
              onChoose(pickOther(question, chosen, event.target.checked));
              if (event.target.checked) other.current?.focus();
            }}
          />
          <input
            ref={other}
            type="text"
            className="input"
            aria-label="Something else, in your own words"
            placeholder="Something else"
            value={chosen.other}
            disabled={props.isDisabled}
            onChange={(event) => onChoose(writeOther(question, chosen, event.target.value))}
          />
          {otherNumber < 10 ? <Key>{otherNumber}</Key> : null}
        </div>
      </div>
      <Preview question={question} chosen={chosen} looked={looked} />
    </fieldset>
  );
}

/** How it would look: the option that is looked at, else the chosen one, else the first. */
function Preview(props: { question: Question; chosen: Chosen; looked: number | undefined }) {
  const { options } = props.question;
  const [first] = [...props.chosen.options];
  const candidates = [props.looked, first, options.findIndex(({ preview }) => preview !== undefined)];
  const at = candidates.find((number) => number !== undefined && options[number]?.preview !== undefined);
  const option = at === undefined ? undefined : options[at];
  if (option?.preview === undefined) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached without a pointer.
    <section className="well q-preview" aria-label={`How it would look: ${option.label}`} tabIndex={0}>
      <p className="more">
        <Icon name="eye" />
        {option.label}
      </p>
      <Look key={at} preview={option.preview} />
    </section>
  );
}

function Look({ preview }: { preview: Clip }) {
  const whole = useWhole(preview);
  return (
    <>
      <pre>{whole.text}</pre>
      <ShowAll whole={whole} />
    </>
  );
}
