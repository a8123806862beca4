// Fields of the form: a label, a control, what is wrong with it or what it is for.

import { type ReactNode, useId } from "react";
import { Icon } from "../Icon";
import { Words } from "../Words";

type FieldProps = {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** Draws the control with these. */
  children: (control: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean }) => ReactNode;
};

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const words = error ?? hint;
  const hintId = `${id}-hint`;
  const described = words === undefined ? undefined : hintId;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": described, "aria-invalid": error !== undefined })}
      {words === undefined ? null : (
        <p id={hintId} className={error === undefined ? "hint" : "hint is-danger"}>
          {error === undefined ? words : <Words text={error} />}
        </p>
      )}
    </div>
  );
}

type TextProps = {
  label: string;
  value: string;
  hint?: string;
  error?: string | undefined;
  placeholder?: string;
  rows?: number;
  isCode?: boolean;
  onChange: (value: string) => void;
};

/** One line, or several with `rows`. */
export function TextField({ label, value, hint, error, placeholder, rows, isCode, onChange }: TextProps) {
  const className = `input${isCode ? " mono" : ""}${error === undefined ? "" : " error"}`;
  const common = { value, placeholder, className, spellCheck: !isCode };
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) =>
        rows === undefined ? (
          <input {...control} {...common} onChange={(event) => onChange(event.target.value)} />
        ) : (
          <textarea {...control} {...common} rows={rows} onChange={(event) => onChange(event.target.value)} />
        )
      }
    </Field>
  );
}

type SelectProps = {
  label: string;
  value: string;
  error?: string | undefined;
  options: readonly (readonly [value: string, words: string])[];
  onChange: (value: string) => void;
};

export function SelectField({ label, value, error, options, onChange }: SelectProps) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <div className="select-box">
          <select {...control} className="input" value={value} onChange={(event) => onChange(event.target.value)}>
            {options.map(([each, words]) => (
              <option key={each} value={each}>
                {words}
              </option>
            ))}
          </select>
          <Icon name="down" />
        </div>
      )}
    </Field>
  );
}
