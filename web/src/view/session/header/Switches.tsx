// Which model, how hard it thinks, and what it may do without asking: shown, and changed from now on.

import { type ReactNode, Suspense, useState } from "react";
import { changeSettings } from "../../../api/server";
import { usePart, useSession } from "../../../store/use";
import { Arc, Icon } from "../../Icon";
import { lazily } from "../../lazily";
import { Menu, type MenuSection } from "../../shell/Menu";
import { troubled } from "../../shell/troubles";
import { useAction } from "../../shell/useAction";
import { effortWords, modelName, modeMeaning, modeWords, shortMode } from "../../words";
import { resume } from "../actions";
import { isModel } from "../models";
import { BYPASS } from "../modes";
import { useModes } from "../useModes";

const ConfirmBypass = lazily(() => import("../ConfirmBypass").then((part) => part.ConfirmBypass));

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
        label: effortWords(level),
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

export function ModeSwitch() {
  const { id } = useSession();
  const { mode, agent } = usePart("status");
  const modes = useModes();
  const { run, isBusy } = useAction();
  const [isAsking, setAsking] = useState(false);
  const change = (to: string) =>
    run(() => changeSettings(id, { mode: to }).catch(troubled("The mode was not changed")));
  const entries = modes.map((each) => ({
    label: modeWords(each),
    hint: modeMeaning(each),
    checked: each === mode,
    danger: each === BYPASS,
    choose: () => (each === BYPASS && mode !== BYPASS ? setAsking(true) : change(each)),
  }));
  const isBypass = mode === BYPASS;
  return (
    <>
      <Switch
        label="Permissions"
        isBusy={isBusy}
        isRunning={agent === "running"}
        className={isBypass ? "tag danger mode" : "mini mode"}
        sections={[{ heading: "Permissions", entries }]}
      >
        {isBypass ? <Icon name="shield" /> : null}
        {shortMode(mode)}
      </Switch>
      {isAsking ? (
        <Suspense>
          <ConfirmBypass onConfirm={() => change(BYPASS)} onClose={() => setAsking(false)} />
        </Suspense>
      ) : null}
    </>
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
        choose: () => resume(id),
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
