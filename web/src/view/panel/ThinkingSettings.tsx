// How hard the model thinks, whether it thinks at all, and how fast it answers.

import { usePart } from "../../store/use";
import { currentModel } from "../session/models";
import { effortWords } from "../words";
import { Fault, Section, Segments, Switch } from "./parts";
import { useSetting, waitingWords } from "./useSetting";

/** What is asked where no model has said what it knows. */
const LEVELS = ["low", "medium", "high", "xhigh", "max"];

export function ThinkingSettings({ isRunning }: { isRunning: boolean }) {
  return (
    <>
      <Effort isRunning={isRunning} />
      <Thinking isRunning={isRunning} />
      <Fast isRunning={isRunning} />
    </>
  );
}

function Effort({ isRunning }: { isRunning: boolean }) {
  const { effort, model } = usePart("status");
  const { models } = usePart("catalog");
  const setting = useSetting<string>(
    (value) => ({ effort: value }),
    (value) => value === effort,
  );
  const current = currentModel(models, model);
  const known = current?.effortLevels ?? [];
  const levels = known.length > 0 ? known : LEVELS;
  const hint =
    waitingWords(setting) ??
    (current !== undefined && known.length === 0
      ? "This model names no levels of its own: it may refuse them."
      : "More effort: better answers to hard questions, slower and dearer.");
  return (
    <Section title="Effort" hint={hint}>
      <Segments
        label="Effort"
        disabled={!isRunning}
        isPending={setting.isSending}
        value={setting.wanted ?? effort}
        choices={levels.map((level) => ({ value: level, label: effortWords(level) }))}
        onChoose={setting.change}
      />
      {effort === undefined && setting.wanted === undefined ? (
        <p className="hint">None was chosen: the model’s own holds.</p>
      ) : null}
      <Fault words={setting.error} />
    </Section>
  );
}

function Thinking({ isRunning }: { isRunning: boolean }) {
  const status = usePart("status");
  const { models } = usePart("catalog");
  // It may also be how many tokens it may think for.
  const now = status.thinking === undefined ? undefined : status.thinking === "off" ? "off" : "on";
  const setting = useSetting<string>(
    (value) => ({ thinking: value === "on" }),
    (value) => value === now,
  );
  // Such a model takes no notice, and what was chosen for another one does not hold for it.
  const thinksAlways = currentModel(models, status.model)?.thinkingOff === false;
  const shown = thinksAlways ? "on" : (setting.wanted ?? now);
  const hint = thinksAlways
    ? "This model cannot be kept from thinking."
    : (waitingWords(setting) ??
      (shown === undefined ? "Whether it thinks before it answers is left to the CLI’s settings." : undefined));
  return (
    <Section title="Thinking" hint={hint}>
      <Segments
        label="Thinking"
        disabled={!isRunning || thinksAlways}
        isPending={setting.isSending}
        value={shown}
        choices={[
          { value: "on", label: "On" },
          { value: "off", label: "Off" },
        ]}
        onChoose={setting.change}
      />
      <Fault words={setting.error} />
    </Section>
  );
}

/** Why the CLI has no fast mode here, as far as its words are known. */
const NO_FAST: Record<string, string> = {
  sdk_opt_in_required: "The CLI gives it to programs only after it was switched on here.",
};

function Fast({ isRunning }: { isRunning: boolean }) {
  const { fastMode, fastModeDisabledReason, model } = usePart("status");
  const { models } = usePart("catalog");
  const isOn = fastMode === "on" || fastMode === "cooldown";
  const setting = useSetting<boolean>(
    (value) => ({ fast: value }),
    (value) => fastMode !== undefined && value === isOn,
  );
  const reason = fastModeDisabledReason;
  const current = currentModel(models, model);
  // The CLI names it at the models that have it, and says nothing at the others.
  const hasNone = current !== undefined && !current.fastMode && models.some((one) => one.fastMode);
  const words = [
    hasNone ? "This model has none." : undefined,
    fastMode === "cooldown" ? "It rests for now: its limit is used up, and it comes back by itself." : undefined,
    fastMode === undefined ? "This version of the CLI has not told of it." : undefined,
    reason === undefined || isOn ? undefined : (NO_FAST[reason] ?? `Off: ${reason.replaceAll("_", " ")}.`),
  ].filter((part) => part !== undefined);
  return (
    <Section title="Fast mode">
      <Switch
        label="Answer faster, for more money"
        hint={waitingWords(setting) ?? (words.length === 0 ? undefined : words.join(" "))}
        isOn={setting.wanted ?? isOn}
        isPending={setting.isSending}
        disabled={!isRunning || setting.isSending}
        onChange={setting.change}
      />
      <Fault words={setting.error} />
    </Section>
  );
}
