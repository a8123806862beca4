// The fields of a server's form, each with its label, help and what is wrong with it.

import { useId } from "react";
import { Icon } from "../Icon";
import type { Field, Typed } from "./form";

type Value = Typed[string];

export function FormFields(props: {
  form: readonly Field[];
  typed: Typed;
  faults: Record<string, string>;
  isDisabled: boolean;
  onType: (name: string, value: Value) => void;
}) {
  return (
    <div className="form">
      {props.form.map((field, at) => (
        <FormField
          key={field.name}
          field={field}
          isFirst={at === 0}
          value={props.typed[field.name] ?? field.initial}
          fault={props.faults[field.name]}
          isDisabled={props.isDisabled}
          onType={(value) => props.onType(field.name, value)}
        />
      ))}
    </div>
  );
}

function FormField(props: {
  field: Field;
  isFirst: boolean;
  value: Value;
  fault: string | undefined;
  isDisabled: boolean;
  onType: (value: Value) => void;
}) {
  const { field, fault } = props;
  const id = useId();
  const help = fault ?? field.help;
  const common = {
    id,
    disabled: props.isDisabled,
    "aria-invalid": fault !== undefined,
    "aria-required": field.isRequired,
    "aria-describedby": help === undefined ? undefined : `${id}-help`,
    "data-first": props.isFirst ? "" : undefined,
  };
  const note =
    help === undefined ? null : (
      <p id={`${id}-help`} className={fault === undefined ? "hint" : "hint is-danger"}>
        {help}
      </p>
    );
  const label = (
    <>
      {field.label}
      {field.isRequired ? null : <span className="faint"> (optional)</span>}
    </>
  );
  if (field.kind.type === "boolean") {
    return (
      <div className="field">
        <span className="row">
          <input
            {...common}
            type="checkbox"
            className="check"
            checked={props.value === true}
            onChange={(event) => props.onType(event.target.checked)}
          />
          <label htmlFor={id}>{field.label}</label>
        </span>
        {note}
      </div>
    );
  }
  if (field.kind.type === "many") {
    const chosen = Array.isArray(props.value) ? props.value : [];
    return (
      <fieldset className="field" aria-describedby={help === undefined ? undefined : `${id}-help`}>
        <legend className="label">{label}</legend>
        {field.kind.options.map((option, at) => (
          <label key={option.value} className="row">
            <input
              type="checkbox"
              className="check"
              disabled={props.isDisabled}
              data-first={props.isFirst && at === 0 ? "" : undefined}
              checked={chosen.includes(option.value)}
              onChange={(event) =>
                props.onType(
                  event.target.checked ? [...chosen, option.value] : chosen.filter((value) => value !== option.value),
                )
              }
            />
            {option.words}
          </label>
        ))}
        {note}
      </fieldset>
    );
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Control
        field={field}
        common={common}
        value={String(props.value)}
        hasFault={fault !== undefined}
        onType={props.onType}
      />
      {note}
    </div>
  );
}

function Control(props: {
  field: Field;
  common: Record<string, unknown>;
  value: string;
  hasFault: boolean;
  onType: (value: string) => void;
}) {
  const { kind } = props.field;
  const className = props.hasFault ? "input error" : "input";
  const onChange = (event: { target: { value: string } }) => props.onType(event.target.value);
  const common = { ...props.common, className, value: props.value, onChange };
  switch (kind.type) {
    case "one":
      return (
        <div className="select-box">
          <select {...common}>
            <option value="">Choose</option>
            {kind.options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.words}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </div>
      );
    case "json":
      return <textarea {...common} className={`${className} mono`} rows={3} spellCheck={false} />;
    case "number":
      return <input {...common} type="text" inputMode={kind.isWhole ? "numeric" : "decimal"} />;
    case "text":
      return <input {...common} type={kind.input} />;
    case "boolean":
    case "many":
      return null;
    default:
      return kind satisfies never;
  }
}
