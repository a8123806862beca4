// A fresh session: its first message, where it works, with which model, and what it may do.

import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { newId } from "../../api/ids";
import { startSession } from "../../api/server";
import { useSessions } from "../../store/use";
import { Arc } from "../Icon";
import { replacePlace } from "../route";
import { enterComposer } from "../shell/regions";
import { useAction } from "../shell/useAction";
import { useAbout } from "../useAbout";
import { FolderField, useRecentFolders } from "./FolderField";
import { Field, SelectField, TextField } from "./fields";
import { type Form, type FormErrors, readForm } from "./form";
import { ModeField } from "./ModeField";
import { MoreOptions } from "./MoreOptions";
import { Trouble } from "./Trouble";
import { loadForm, saveForm, useMessageDraft } from "./useDraft";

/** What every CLI knows, where no session has told of its models. */
const MODELS: [string, string][] = [
  ["opus", "Opus"],
  ["sonnet", "Sonnet"],
  ["haiku", "Haiku"],
];

const EFFORTS: [string, string][] = [
  ["", "Default"],
  ["low", "Low"],
  ["medium", "Medium"],
  ["high", "High"],
  ["xhigh", "Higher"],
  ["max", "Highest"],
];

export function FreshSession({ onClose }: { onClose: () => void }) {
  const [message, setMessage, clearMessage] = useMessageDraft();
  const [form, setForm] = useForm();
  const [errors, setErrors] = useState<FormErrors>({});
  const { run, isBusy, error } = useAction();
  // Sent again after a failure, it is the same session and the same message.
  const ids = useRef({ session: newId(), message: newId() });
  const started = useRef<string>(undefined);

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
        started.current = (await startSession({ id: ids.current.session, options: read.options, ...first })).session;
      },
      () => {
        clearMessage();
        enterComposer();
        if (started.current !== undefined) replacePlace({ page: "session", id: started.current });
      },
    );
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing) start();
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
        <FolderField value={form.cwd} error={errors.cwd} onChange={(cwd) => change({ cwd })} />
        <div className="grid3">
          <ModelField value={form.model} onChange={(model) => change({ model })} />
          <SelectField label="Effort" value={form.effort} options={EFFORTS} onChange={(effort) => change({ effort })} />
          <TextField
            label="Stop at"
            placeholder="No limit, in $"
            value={form.budget}
            error={errors.budget}
            onChange={(budget) => change({ budget })}
          />
        </div>
        <ModeField value={form.mode} onChange={(mode) => change({ mode })} />
        <MoreOptions form={form} errors={errors} onChange={change} />
        {error === undefined ? null : <Trouble message={error} />}
      </div>
      <div className="dialog-foot">
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
              Start session<kbd>Ctrl Enter</kbd>
            </>
          )}
        </button>
      </div>
    </form>
  );
}

/** The form as it was last time; the folder of the last session if there was none. */
function useForm(): [Form, (form: Form) => void] {
  const [form, setForm] = useState(loadForm);
  const [recent] = useRecentFolders();
  const { about } = useAbout();
  const folder = recent ?? about?.roots[0];
  const isTouched = useRef(false);
  useEffect(() => {
    if (isTouched.current || folder === undefined) return;
    setForm((now) => (now.cwd === "" ? { ...now, cwd: folder } : now));
  }, [folder]);
  const change = (now: Form) => {
    isTouched.current = true;
    setForm(now);
    saveForm(now);
  };
  return [form, change];
}

function ModelField({ value, onChange }: { value: string; onChange: (model: string) => void }) {
  const known = useSessions().models();
  const named = known.length > 0 ? known.map(({ value, name }) => [value, name] as const) : MODELS;
  const models = named.filter(([model]) => model !== "default");
  const isKnown = value === "" || models.some(([model]) => model === value);
  const own = isKnown ? [] : ([[value, value]] as const);
  return <SelectField label="Model" value={value} options={[["", "Default"], ...models, ...own]} onChange={onChange} />;
}
