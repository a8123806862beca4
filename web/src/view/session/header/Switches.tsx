// Which model, how hard it thinks, and what it may do without asking: shown, and changed from now on.

import type { ReactNode } from "react";
import { changeSettings } from "../../../api/server";
import { usePart, useSession } from "../../../store/use";
import { Arc, Icon } from "../../Icon";
import { Menu, type MenuSection } from "../../shell/Menu";
import { troubled } from "../../shell/troubles";
import { useAction } from "../../shell/useAction";
import { wake } from "../../shell/wake";
import { useAbout } from "../../useAbout";
import { modelName, modeMeaning, modeWords } from "../../words";

const MODES = ["default", "acceptEdits", "plan", "dontAsk"];
const BYPASS = "bypassPermissions";

export function ModelSwitch() {
  const { id } = useSession();
  const { model, effort, agent } = usePart("status");
  const { models } = usePart("catalog");
  const { run, isBusy } = useAction();
  const change = (settings: { model?: string; effort?: string }) =>
    run(() => changeSettings(id, settings).catch(troubled("It was not changed")));
  const isIt = (value: string) => model !== undefined && isModel(value, model);
  const current = models.find((each) => isIt(each.value));
  const sections: MenuSection[] = [
    {
      heading: "Model",
      entries: models.map(({ value, name, description }) => ({
        label: name,
        ...(description === "" ? {} : { hint: description }),
        checked: isIt(value),
        choose: () => change({ model: value }),
      })),
    },
  ];
  const levels = current?.effortLevels ?? [];
  if (levels.length > 0) {
    sections.push({
      heading: "Effort",
      entries: levels.map((level) => ({
        label: level.slice(0, 1).toUpperCase() + level.slice(1),
        checked: level === effort,
        choose: () => change({ effort: level }),
      })),
    });
  }
  if (model === undefined && models.length === 0) return null;
  return (
    <Switch
      label="Model"
      className="mini model"
      isBusy={isBusy}
      isRunning={agent === "running"}
      sections={sections.filter(({ entries }) => entries.length > 0)}
    >
      {model === undefined ? "Model" : modelName(model)}
    </Switch>
  );
}

/** What is asked for by a short name is reported by its long one: `opus` as `claude-opus-4-5`. */
function isModel(value: string, model: string): boolean {
  return value === model || modelName(value) === modelName(model) || model.startsWith(`claude-${value}-`);
}

export function ModeSwitch() {
  const { id } = useSession();
  const { mode = "default", agent } = usePart("status");
  const { about } = useAbout();
  const { run, isBusy } = useAction();
  const modes = [
    ...MODES,
    ...(mode === "auto" ? ["auto"] : []),
    ...(about?.allowsBypass || mode === BYPASS ? [BYPASS] : []),
  ];
  const entries = modes.map((each) => ({
    label: modeWords(each),
    hint: modeMeaning(each),
    checked: each === mode,
    danger: each === BYPASS,
    choose: () => run(() => changeSettings(id, { mode: each }).catch(troubled("The mode was not changed"))),
  }));
  const isBypass = mode === BYPASS;
  return (
    <Switch
      label="Permissions"
      isBusy={isBusy}
      isRunning={agent === "running"}
      className={isBypass ? "tag danger mode" : "mini mode"}
      sections={[{ heading: "Permissions", entries }]}
    >
      {isBypass ? <Icon name="shield" /> : null}
      {isBypass ? "Bypass" : modeWords(mode)}
    </Switch>
  );
}

type Props = {
  label: string;
  isBusy: boolean;
  isRunning: boolean;
  className: string;
  sections: MenuSection[];
  children: ReactNode;
};

/** Only an agent that runs can be told to be another one. */
function Switch({ label, isBusy, isRunning, className, sections, children }: Props) {
  const { id } = useSession();
  const start: MenuSection = {
    heading: "The agent is not running",
    entries: [
      {
        label: "Start its agent again",
        hint: "Then this can be changed",
        icon: "play",
        choose: () => wake(id),
      },
    ],
  };
  return (
    <Menu
      label={label}
      title={label}
      className={className}
      sections={isRunning ? sections : [start]}
      button={
        <>
          <span className="vh">{label}: </span>
          {children}
          {isBusy ? <Arc /> : <Icon name="down" />}
        </>
      }
    />
  );
}
