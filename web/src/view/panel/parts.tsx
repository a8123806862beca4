// What all panels are made of: sections, rows with a control, choices of which one holds, switches.

import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { Arc, Icon } from "../Icon";
import { Words } from "../Words";

export function Section({
  title,
  hint,
  extra,
  children,
}: {
  title: string;
  hint?: ReactNode;
  /** What stands at the right of the title. */
  extra?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="part" aria-labelledby={id}>
      <div className="part-head">
        <h3 id={id}>{title}</h3>
        <span className="grow" />
        {extra}
      </div>
      {hint === undefined ? null : <p className="hint">{hint}</p>}
      {children}
    </section>
  );
}

/** Something failed: in words. */
export function Fault({ words }: { words: string | undefined }) {
  return words === undefined ? null : (
    <p role="alert" className="fault">
      <Icon name="warn" />
      <span>
        <Words text={words} />
      </span>
    </p>
  );
}

export type Choice = { value: string; label: string; hint?: string; isDanger?: boolean };

type ChoicesProps = {
  label: string;
  choices: readonly Choice[];
  /** The one that holds, or that is on its way to. */
  value: string | undefined;
  /** Is that not yet so? */
  isPending?: boolean;
  disabled?: boolean;
  onChoose: (value: string) => void;
};

/**
 * One of several, each with a line that says what it means. The arrow keys only go from one to the next: what is chosen takes effect
 * at once, so that takes a press of its own.
 */
export function Choices({ label, choices, value, isPending, disabled, onChoose }: ChoicesProps) {
  const { root, onKeyDown, stop } = useRoving(choices, value);
  return (
    <div
      ref={root}
      className="pick-list"
      role="radiogroup"
      aria-label={label}
      aria-disabled={disabled}
      onKeyDown={onKeyDown}
    >
      {choices.map((choice) => {
        const isOn = choice.value === value;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a native one would take effect while the arrow keys pass over it.
          <button
            key={choice.value}
            type="button"
            role="radio"
            className={`choice-row${isOn ? " on" : ""}${choice.isDanger ? " is-danger" : ""}`}
            aria-checked={isOn}
            tabIndex={choice.value === stop ? 0 : -1}
            disabled={disabled}
            onClick={() => onChoose(choice.value)}
          >
            {isOn && isPending ? <Arc /> : <span className="radio" />}
            <span className="choice-label">{choice.label}</span>
            {choice.hint ? <span className="choice-hint">{choice.hint}</span> : null}
          </button>
        );
      })}
    </div>
  );
}

/** The same where the words are few. */
export function Segments({ label, choices, value, isPending, disabled, onChoose }: ChoicesProps) {
  const { root, onKeyDown, stop } = useRoving(choices, value);
  return (
    <div ref={root} className="seg" role="radiogroup" aria-label={label} aria-disabled={disabled} onKeyDown={onKeyDown}>
      {choices.map((choice) => (
        // biome-ignore lint/a11y/useSemanticElements: the same.
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={choice.value === stop ? 0 : -1}
          disabled={disabled}
          onClick={() => onChoose(choice.value)}
        >
          {choice.value === value && isPending ? <Arc /> : null}
          {choice.label}
        </button>
      ))}
    </div>
  );
}

function useRoving(choices: readonly Choice[], value: string | undefined) {
  const root = useRef<HTMLDivElement>(null);
  const stop = choices.some((choice) => choice.value === value) ? value : choices[0]?.value;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = [...(root.current?.querySelectorAll<HTMLElement>("[role=radio]") ?? [])];
    if (by === undefined || all.length === 0) return;
    event.preventDefault();
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[(at + by + all.length) % all.length]?.focus();
  };
  return { root, onKeyDown, stop };
}

/** On or off, at once. */
export function Switch({
  label,
  hint,
  isOn,
  isPending,
  disabled,
  onChange,
}: {
  label: string;
  hint?: ReactNode;
  isOn: boolean;
  isPending?: boolean;
  disabled?: boolean;
  onChange: (isOn: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="switch-row">
      <label htmlFor={id}>{label}</label>
      {isPending ? <Arc /> : null}
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
      />
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
