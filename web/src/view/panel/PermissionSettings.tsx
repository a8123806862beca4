// What the agent may do without asking. Letting it do everything is asked about once more.

import { useState } from "react";
import { usePart } from "../../store/use";
import { Icon } from "../Icon";
import { ConfirmBypass } from "../session/ConfirmBypass";
import { BYPASS } from "../session/modes";
import { useModes } from "../session/useModes";
import { useAbout } from "../useAbout";
import { modeMeaning, modeWords } from "../words";
import { Choices, Fault, Section } from "./parts";
import { useSetting, waitingWords } from "./useSetting";

export function PermissionSettings({ isRunning }: { isRunning: boolean }) {
  const { mode } = usePart("status");
  const modes = useModes();
  const { about } = useAbout();
  const [isAsking, setAsking] = useState(false);
  const setting = useSetting<string>(
    (value) => ({ mode: value }),
    (value) => value === mode,
  );
  const choose = (value: string) => {
    if (value === BYPASS && mode !== BYPASS) setAsking(true);
    else if (value !== mode || setting.wanted !== undefined) setting.change(value);
  };
  return (
    <Section
      title="Permissions"
      hint={waitingWords(setting)}
      extra={
        mode === BYPASS ? (
          <span className="tag danger">
            <Icon name="shield" />
            Bypass is on
          </span>
        ) : null
      }
    >
      <Choices
        label="Permissions"
        disabled={!isRunning}
        isPending={setting.isSending}
        value={setting.wanted ?? mode}
        choices={modes.map((each) => ({
          value: each,
          label: modeWords(each),
          hint: modeMeaning(each),
          isDanger: each === BYPASS,
        }))}
        onChoose={choose}
      />
      {about !== undefined && !about.allowsBypass ? (
        <p className="hint">
          Bypassing permissions is possible only where the server was started with{" "}
          <code>--dangerously-allow-bypass</code>.
        </p>
      ) : null}
      <Fault words={setting.error} />
      {isAsking ? <ConfirmBypass onConfirm={() => setting.change(BYPASS)} onClose={() => setAsking(false)} /> : null}
    </Section>
  );
}
