// What holds for one session, changed while it runs: model, effort, thinking, fast mode, permissions.

import { usePart, useSession } from "../../store/use";
import { Icon } from "../Icon";
import { resume } from "../session/actions";
import { ModelSettings } from "./ModelSettings";
import { PermissionSettings } from "./PermissionSettings";
import { Section } from "./parts";
import { ThinkingSettings } from "./ThinkingSettings";

export function SessionSettings() {
  const { agent, outputStyle } = usePart("status");
  const { outputStyles } = usePart("catalog");
  const isRunning = agent === "running";
  return (
    <>
      {isRunning ? null : <Asleep isStarting={agent === "starting"} />}
      <ModelSettings isRunning={isRunning} />
      <ThinkingSettings isRunning={isRunning} />
      <PermissionSettings isRunning={isRunning} />
      <Section title="Output style" hint="Set in the CLI’s own settings; it takes hold when an agent is started.">
        <p>
          {outputStyle ?? "Not known yet"}
          {outputStyles.length > 1 ? <span className="muted"> of {outputStyles.join(", ")}</span> : null}
        </p>
      </Section>
    </>
  );
}

/** Only an agent that runs can be told to be another one. */
function Asleep({ isStarting }: { isStarting: boolean }) {
  const { id } = useSession();
  return (
    <div className="notice" role="status">
      <Icon name="clock" />
      <p className="grow">
        {isStarting
          ? "The agent is starting. In a moment this can be changed."
          : "The agent is not running. Start it, and this can be changed."}
      </p>
      {isStarting ? null : (
        <button type="button" className="btn sm" onClick={() => resume(id)}>
          Start its agent
        </button>
      )}
    </div>
  );
}
