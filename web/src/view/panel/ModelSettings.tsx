// Which model answers: those that the agent offers, short names, or any name in full.

import { type FormEvent, useState } from "react";
import { usePart } from "../../store/use";
import { currentModel, isModel, modelChoices } from "../session/models";
import { Choices, Fault, Section } from "./parts";
import { useSetting, waitingWords } from "./useSetting";

export function ModelSettings({ isRunning }: { isRunning: boolean }) {
  const { model } = usePart("status");
  const { models } = usePart("catalog");
  const setting = useSetting<string>(
    (value) => ({ model: value }),
    // Which one the default is, only the agent knows: what it then reports stands there.
    (value) => value === "default" || (model !== undefined && isModel(value, model)),
  );
  const choices = modelChoices(models, model);
  const now = currentModel(models, model)?.value ?? choices.find(({ value }) => model && isModel(value, model))?.value;
  const wanted = setting.wanted;
  const isOther = wanted !== undefined && choices.every(({ value }) => value !== wanted);
  return (
    <Section
      title="Model"
      hint={
        waitingWords(setting) ??
        (model === undefined ? "The agent has not said yet which one it uses." : <code>{model}</code>)
      }
    >
      <Choices
        label="Model"
        disabled={!isRunning}
        isPending={setting.isSending}
        value={isOther ? undefined : (wanted ?? now)}
        choices={choices.map(({ value, name, description }) => ({
          value,
          label: name,
          hint: description || value,
        }))}
        onChoose={(value) => {
          if (value !== now || wanted !== undefined) setting.change(value);
        }}
      />
      <OtherModel disabled={!isRunning || setting.isSending} onUse={setting.change} />
      <Fault words={setting.error} />
    </Section>
  );
}

function OtherModel({ disabled, onUse }: { disabled: boolean; onUse: (model: string) => void }) {
  const [name, setName] = useState("");
  const use = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    onUse(name.trim());
    setName("");
  };
  return (
    <form className="inline-form" onSubmit={use}>
      <input
        className="input mono"
        aria-label="Another model, by its full name"
        placeholder="Another one: claude-opus-4-6"
        spellCheck={false}
        autoCapitalize="off"
        value={name}
        disabled={disabled}
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" className="btn" disabled={disabled || name.trim() === ""}>
        Use it
      </button>
    </form>
  );
}
