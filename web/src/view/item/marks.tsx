// What stands between the turns: the output of local commands, marks of the context, remarks, errors, hooks, and what nobody knows.

import type {
  Clip,
  CommandItem,
  CompactionItem,
  ErrorItem,
  HookItem,
  Item,
  NoticeItem,
  NoticeLevel,
  UnknownItem,
} from "../../generated";
import { Prose } from "../../markdown/Prose";
import { Icon, type IconName } from "../Icon";
import { ShowAll, useWhole } from "../whole";
import { count, duration } from "../words";
import { failureWords, nextStep } from "./failures";
import { Press } from "./inRow";
import { useOpen } from "./open";
import { useRaw } from "./Raw";
import { Scrollable } from "./Scrollable";
import { Step } from "./Step";
import { Terminal } from "./tool/Terminal";
import type { Tone } from "./toolWords";

export function LocalCommand({ item, command }: { item: Item; command: CommandItem }) {
  const [isOpen, toggle] = useOpen(item.id, true);
  const hasText = command.text.text.trim() !== "";
  return (
    <Step
      icon={command.isError ? "bad" : "slash"}
      tone={command.isError ? "is-danger" : ""}
      verb={command.command === undefined ? "Command" : `/${command.command}`}
      meta={command.isError ? <span className="is-danger">Failed</span> : hasText ? null : <span>No output</span>}
      isOpen={hasText ? isOpen : undefined}
      onToggle={hasText ? toggle : undefined}
    >
      {!hasText || !isOpen ? null : isMarkdown(command.text.text) ? (
        <Slip id={item.id} clip={command.text} />
      ) : (
        <Terminal output={command.text} id={item.id} isFailed={command.isError} />
      )}
    </Step>
  );
}

/** Some commands answer in Markdown (`/context`), some in lines for a terminal (`/cost`), and nothing says which. */
function isMarkdown(text: string): boolean {
  return /^(#{1,6} |\|[-: |]*-[-: |]*\|\s*$)/m.test(text);
}

const WHY: Record<CompactionItem["trigger"], string> = {
  auto: "Context compacted by itself",
  manual: "Context compacted",
  cleared: "Context cleared",
};

export function Compaction({ item, compaction }: { item: Item; compaction: CompactionItem }) {
  const [isOpen, toggle] = useOpen(item.id, false);
  const { preTokens, postTokens, durationMs, summary, error } = compaction;
  const sizes =
    preTokens === undefined
      ? ""
      : postTokens === undefined
        ? `${count(preTokens)} tokens`
        : `${count(preTokens)} → ${count(postTokens)} tokens`;
  const figures = [sizes, durationMs === undefined ? "" : duration(durationMs)].filter((figure) => figure !== "");
  return (
    <div className="compaction">
      <div className="rule-line">
        <span>{error === undefined ? WHY[compaction.trigger] : "The context could not be compacted"}</span>
        {figures.map((figure) => (
          <span key={figure} className="faint num">
            {figure}
          </span>
        ))}
        {summary === undefined ? null : (
          <Press className="btn quiet sm" aria-expanded={isOpen} onClick={toggle} data-toggle="">
            {isOpen ? "Hide summary" : "Show summary"}
          </Press>
        )}
      </div>
      <p className="hint">
        {error ??
          (compaction.trigger === "cleared"
            ? "The agent knows nothing of what stands above"
            : "The agent may know only a summary of what stands above")}
      </p>
      {isOpen && summary ? <Slip id={`${item.id}:summary`} clip={summary} /> : null}
    </div>
  );
}

function Slip({ id, clip }: { id: string; clip: Clip }) {
  const whole = useWhole(clip);
  return (
    <div className="slip">
      <Scrollable className="slip-text" label="Text">
        <Prose id={id} text={whole.text} />
        <ShowAll whole={whole} />
      </Scrollable>
    </div>
  );
}

const LEVELS: Record<NoticeLevel, { icon: IconName; className: string }> = {
  info: { icon: "message", className: "notice" },
  warning: { icon: "warn", className: "notice is-warn" },
  error: { icon: "warn", className: "notice is-danger" },
};

export function Notice({ notice }: { notice: NoticeItem }) {
  const whole = useWhole(notice.text);
  const { icon, className } = LEVELS[notice.level] ?? LEVELS.info;
  return (
    <div className={className}>
      <Icon name={notice.source === "rewind_files" && notice.level === "info" ? "rewind" : icon} />
      <div className="notice-in">
        <p className="as-written">{whole.text}</p>
        <ShowAll whole={whole} />
      </div>
    </div>
  );
}

export function Failure({ error }: { error: ErrorItem }) {
  const whole = useWhole(error.text);
  const head = failureWords(error);
  const next = nextStep(error, whole.text);
  return (
    <div className="failure">
      <Icon name="warn" />
      <div className="notice-in">
        {head === "" ? null : <strong>{head}</strong>}
        <p className="as-written">{whole.text}</p>
        <ShowAll whole={whole} />
        {next === undefined ? null : <p className="next-step">{next}</p>}
      </div>
    </div>
  );
}

export function Hook({ item, hook }: { item: Item; hook: HookItem }) {
  const isFailed = hook.outcome === "error";
  const [isOpen, toggle] = useOpen(item.id, isFailed);
  const hasText = hook.output.text.trim() !== "";
  const tone: Tone = hook.outcome === undefined ? "is-running" : isFailed ? "is-danger" : "";
  return (
    <Step
      icon={hook.outcome === undefined ? "arc" : "link"}
      tone={tone}
      verb="Hook"
      object={{ text: hook.name, isCode: true, isPath: false }}
      isQuiet={!isFailed}
      meta={
        <>
          {hook.event === undefined ? null : <span className="opt-meta">{hook.event}</span>}
          {isFailed ? (
            <span className="is-danger">{hook.exitCode === undefined ? "Failed" : `exit ${hook.exitCode}`}</span>
          ) : null}
          {hook.outcome === "cancelled" ? <span>Cancelled</span> : null}
        </>
      }
      isOpen={hasText ? isOpen : undefined}
      onToggle={hasText ? toggle : undefined}
    >
      {hasText && isOpen ? <Terminal output={hook.output} id={item.id} isFailed={isFailed} /> : null}
    </Step>
  );
}

/** A message that this version does not know: its name, and the way to all of it. */
export function Unknown({ item, unknown }: { item: Item; unknown: UnknownItem }) {
  const show = useRaw();
  return (
    <Step
      icon="raw"
      verb="Unknown message"
      object={{ text: `${unknown.messageType} ${unknown.text}`.trim(), isCode: true, isPath: false }}
      isQuiet
      actions={
        <Press className="btn quiet sm" onClick={() => show(item)}>
          Show raw
        </Press>
      }
    />
  );
}
