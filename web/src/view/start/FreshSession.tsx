// A fresh session: its first message, where it works, with which model, and what it may do.

import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../../api/http";
import { newId } from "../../api/ids";
import { type Options, startSession } from "../../api/server";
import { useSessions } from "../../store/use";
import { Arc, Icon } from "../Icon";
import { isPressed } from "../keys/bindings";
import { Caps } from "../keys/Caps";
import { Failure } from "../shell/Failure";
import { enterSession } from "../shell/regions";
import { useAction } from "../shell/useAction";
import { useAbout } from "../useAbout";
import { CommandLine, useCommandLine } from "./CommandLine";
import { FolderField, useRecentFolders } from "./FolderField";
import { Field, SelectField, TextField } from "./fields";
import { type Form, type FormErrors, fieldNamed, fieldOf, formOf, readForm } from "./form";
import { ModeField } from "./ModeField";
import { MoreOptions } from "./MoreOptions";
import { PresetDesk, PresetMenu, usePresets } from "./Presets";
import type { Prefill } from "./prefill";
import { Trouble } from "./Trouble";
import { loadForm, saveForm, useMessageDraft } from "./useDraft";

/** What every CLI knows, where no session has told of its models. */
const MODELS: [string, string][] = [
  ["opus", "Opus"],
  ["sonnet", "Sonnet"],
  ["haiku", "Haiku"],
];

/** Stands for a model that is typed. */
const OTHER = "\n";

const EFFORTS: [string, string][] = [
  ["", "Default"],
  ["low", "Low"],
  ["medium", "Medium"],
  ["high", "High"],
  ["xhigh", "Higher"],
  ["max", "Highest"],
];

export function FreshSession({ prefill, onClose }: { prefill: Prefill | undefined; onClose: () => void }) {
  const [message, setMessage, clearMessage] = useMessageDraft(prefill?.message);
  const [form, setForm] = useForm(prefill?.options);
  const [errors, setErrors] = useState<FormErrors>({});
  const { run, isBusy, error } = useAction();
  const shelf = usePresets();
  const [doing, setDoing] = useState<"keep" | "arrange">();
  const options = optionsOf(form);
  const asked = useCommandLine(options);
  const faults = { ...faultOf(asked.fault, form), ...errors };
  // Sent again after a failure, it is the same session and the same message.
  const ids = useRef({ session: newId(), message: newId() });

  const change = (part: Partial<Form>) => {
    setForm({ ...form, ...part });
    setErrors({});
  };
  const start = (event?: FormEvent) => {
    event?.preventDefault();
    const read = readForm(form);
    if (!read.ok) {
      setErrors(read.errors);
      return;
    }
    const text = message.trim();
    const first = text === "" ? {} : { message: { id: ids.current.message, text: message } };
    run(
      async () => {
        try {
          return (await startSession({ id: ids.current.session, options: read.options, ...first })).session;
        } catch (cause) {
          // What is wrong with a field is said there.
          const fault = faultOf(cause, form);
          if (Object.keys(fault).length === 0) throw cause;
          setErrors(fault);
          return undefined;
        }
      },
      (session, isThere) => {
        if (session === undefined) return;
        clearMessage();
        if (isThere) enterSession(session);
      },
    );
  };
  const keys = (event: KeyboardEvent) => {
    if (isPressed("submit", event)) start();
  };
  return (
    <form className="start-form" onSubmit={start} onKeyDown={keys}>
      <div className="dialog-body">
        <Field label="First message">
          {(control) => (
            <textarea
              {...control}
              data-autofocus
              className="input message-field"
              rows={3}
              value={message}
              placeholder="What is to be done"
              onChange={(event) => setMessage(event.target.value)}
            />
          )}
        </Field>
        <FolderField value={form.cwd} error={faults.cwd} onChange={(cwd) => change({ cwd })} />
        <div className="grid3">
          <ModelField value={form.model} error={faults.model} onChange={(model) => change({ model })} />
          <SelectField
            label="Effort"
            value={form.effort}
            error={faults.effort}
            options={EFFORTS}
            onChange={(effort) => change({ effort })}
          />
          <TextField
            label="Stop at"
            placeholder="No limit, in $"
            value={form.budget}
            error={faults.budget}
            onChange={(budget) => change({ budget })}
          />
        </div>
        <ModeField value={form.mode} onChange={(mode) => change({ mode })} />
        <Failure words={faults.mode} />
        <MoreOptions form={form} errors={faults} onChange={change} />
        <CommandLine asked={asked} />
        {doing === undefined ? null : (
          <PresetDesk doing={doing} shelf={shelf} options={options} onClose={() => setDoing(undefined)} />
        )}
        {error === undefined ? null : <Trouble message={error} />}
      </div>
      <div className="dialog-foot">
        <PresetMenu shelf={shelf} onChoose={(preset) => change(withFolder(formOf(preset), form.cwd))} onDo={setDoing} />
        <span className="hint foot-note">Runs on this computer as you.</span>
        <span className="grow" />
        <button type="button" className="btn quiet" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="btn primary" disabled={isBusy}>
          {isBusy ? (
            <>
              <Arc className="" />
              Starting
            </>
          ) : (
            <>
              Start session
              <Caps action="submit" />
            </>
          )}
        </button>
      </div>
    </form>
  );
}

/** What the form says; nothing while something in it is not right. */
function optionsOf(form: Form): Options | undefined {
  const read = readForm(form);
  return read.ok ? read.options : undefined;
}

/** What the server finds wrong with a field, by the field. */
function faultOf(cause: unknown, form: Form): FormErrors {
  if (!(cause instanceof ApiError)) return {};
  const field = fieldOf(cause.field) ?? fieldNamed(cause.message, form);
  // A folder that is not allowed yet has its own way out, beside its field.
  if (field === undefined || (field === "cwd" && cause.code === "outside_roots")) return {};
  return { [field]: cause.message };
}

/** A preset that names no folder works where the form says. */
const withFolder = (form: Form, cwd: string): Form => (form.cwd === "" ? { ...form, cwd } : form);

/** The form as it was last time; the folder of the last session if there was none. What is given from elsewhere is not kept. */
function useForm(given: Options | undefined): [Form, (form: Form) => void] {
  const [form, setForm] = useState(() => (given === undefined ? loadForm() : formOf(given)));
  const [recent] = useRecentFolders();
  const { about } = useAbout();
  const folder = recent ?? about?.roots[0];
  // A field that was emptied by hand stays so.
  const isTouched = useRef(false);
  useEffect(() => {
    if (isTouched.current || folder === undefined) return;
    setForm((now) => (now.cwd === "" ? { ...now, cwd: folder } : now));
  }, [folder]);
  const change = (now: Form) => {
    if (now.cwd !== form.cwd) isTouched.current = true;
    setForm(now);
    if (given === undefined) saveForm(now);
  };
  return [form, change];
}

function ModelField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (model: string) => void;
}) {
  const known = useSessions().models();
  const named = known.length > 0 ? known.map(({ value, name }) => [value, name] as const) : MODELS;
  const models = named.filter(([model]) => model !== "default");
  const isKnown = value === "" || models.some(([model]) => model === value);
  const own = isKnown ? [] : ([[value, value]] as const);
  const [isOther, setOther] = useState(false);
  if (isOther) {
    const back = () => {
      setOther(false);
      onChange("");
    };
    return (
      <Field label="Model" error={error}>
        {(control) => (
          <div className={error === undefined ? "input joined" : "input joined error"}>
            <input
              {...control}
              className="mono"
              value={value}
              placeholder="Its full name"
              spellCheck={false}
              // biome-ignore lint/a11y/noAutofocus: whoever asks for the field wants to write into it.
              autoFocus
              onChange={(event) => onChange(event.target.value)}
            />
            <button
              type="button"
              className="ibtn sm"
              aria-label="Back to the list"
              title="Back to the list"
              onClick={back}
            >
              <Icon name="x" />
            </button>
          </div>
        )}
      </Field>
    );
  }
  const choose = (model: string) => {
    setOther(model === OTHER);
    onChange(model === OTHER ? "" : model);
  };
  const options = [["", "Default"] as const, ...models, ...own, [OTHER, "Another …"] as const];
  return <SelectField label="Model" value={value} error={error} options={options} onChange={choose} />;
}
