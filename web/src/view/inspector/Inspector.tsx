// What is behind the figures of a session: tabs in a row, those that do not fit in a menu beside it, and the one that is chosen.

import { type ComponentType, type KeyboardEvent, useEffect, useRef } from "react";
import { useItems, usePart, useSession } from "../../store/use";
import { Icon } from "../Icon";
import { Boundary, failedPane } from "../shell/Boundary";
import { Menu } from "../shell/Menu";
import { isTyping } from "../shell/typing";
import { useMedia } from "../shell/useMedia";
import { ContextPane } from "./context/ContextPane";
import { CostPane } from "./cost/CostPane";
import { changedFiles } from "./files/changes";
import { FilesPane } from "./files/FilesPane";
import { McpPane } from "./mcp/McpPane";
import { RawPane } from "./raw/RawPane";
import { RulesPane } from "./rules/RulesPane";
import { BESIDE, changeTab, closeInspector } from "./shown";
import { FIRST_TABS, TAB_NAMES, TABS, type Tab } from "./tabs";
import { TasksPane } from "./tasks/TasksPane";

/** There is room for all tabs. */
const ROOMY = "(min-width: 560px) and (max-width: 1023px)";

const PANES = {
  tasks: TasksPane,
  files: FilesPane,
  context: ContextPane,
  cost: CostPane,
  mcp: McpPane,
  rules: RulesPane,
  raw: RawPane,
} satisfies Record<Tab, ComponentType<{ at: string | undefined }>>;

export default function Inspector({ tab, at }: { tab: Tab; at: string | undefined }) {
  const Pane: ComponentType<{ at: string | undefined }> = PANES[tab];
  return (
    <>
      <Tabs tab={tab} />
      <NeedsYou />
      <div
        className={tab === "raw" ? "pane filled" : "pane"}
        role="tabpanel"
        id="inspector-pane"
        aria-labelledby={`tab-${tab}`}
        tabIndex={tab === "raw" ? -1 : 0}
      >
        <Boundary key={tab} draw={failedPane}>
          <Pane at={at} />
        </Boundary>
      </div>
    </>
  );
}

/** What waits for an answer is behind this page where there is no room for both. */
function NeedsYou() {
  const { id } = useSession();
  const { length } = usePart("asks");
  const isBeside = useMedia(BESIDE);
  return isBeside || length === 0 ? null : (
    <button type="button" className="needs-strip" onClick={() => closeInspector(id)}>
      <span className="tile">
        <Icon name="ask" />
      </span>
      <span className="grow">The agent waits for your answer</span>
      Answer
      <Icon name="right" />
    </button>
  );
}

function Tabs({ tab }: { tab: Tab }) {
  const { id } = useSession();
  const isRoomy = useMedia(ROOMY);
  const isBeside = useMedia(BESIDE);
  const list = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(!isBeside);
  const row = isRoomy ? TABS : TABS.filter((each) => FIRST_TABS.includes(each) || each === tab);
  const rest = TABS.filter((each) => !row.includes(each));
  // What takes the place of the conversation takes the focus, too; and a tab that was gone to with a key may only now be drawn.
  useEffect(() => {
    // Nor does the focus stay on a tab that is no longer the one.
    if (!wantsFocus.current && !list.current?.contains(document.activeElement)) return;
    wantsFocus.current = false;
    list.current?.querySelector<HTMLElement>(`#tab-${tab}`)?.focus();
  }, [tab]);
  useEscape(id, !isBeside);
  const change = (to: Tab) => {
    wantsFocus.current = true;
    changeTab(id, to);
  };
  const pressed = (event: KeyboardEvent) => {
    const to = KEYS[event.key]?.(TABS.indexOf(tab));
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = TABS[(to + TABS.length) % TABS.length];
    if (next !== undefined && next !== tab) change(next);
  };
  return (
    <div className="tabs">
      {isBeside ? null : (
        <button
          type="button"
          className="ibtn"
          aria-label="Back to the conversation"
          title="Back to the conversation"
          onClick={() => closeInspector(id)}
        >
          <Icon name="left" />
        </button>
      )}
      <div className="tablist" role="tablist" aria-label="Inspector" ref={list} onKeyDown={pressed}>
        {row.map((each) => (
          <button
            key={each}
            id={`tab-${each}`}
            type="button"
            className="tab"
            role="tab"
            aria-selected={each === tab}
            aria-controls="inspector-pane"
            tabIndex={each === tab ? 0 : -1}
            onClick={() => changeTab(id, each)}
          >
            {TAB_NAMES[each]}
            <TabFigure tab={each} />
          </button>
        ))}
      </div>
      <span className="grow" />
      {rest.length === 0 ? null : (
        <Menu
          label="More tabs"
          isIcon
          className="ibtn"
          button={<Icon name="more" />}
          sections={[{ entries: rest.map((each) => ({ label: TAB_NAMES[each], choose: () => change(each) })) }]}
        />
      )}
    </div>
  );
}

/**
 * Escape leaves it before it means anything to the agent: what has taken the conversation's place from everywhere, what stands
 * beside it only from inside, and then the focus goes back to where it was.
 */
function useEscape(id: string, isInPlace: boolean): void {
  const before = useRef<Element | null>(null);
  useEffect(() => {
    const note = () => {
      if (!isInside(document.activeElement)) before.current = document.activeElement;
    };
    note();
    const pressed = (event: globalThis.KeyboardEvent) => {
      const isTaken = event.isComposing || document.querySelector("dialog:modal, [popover]:popover-open");
      if (event.key !== "Escape" || event.defaultPrevented || isTaken) return;
      if (isInside(event.target) ? isWritten(event.target) : !isInPlace) return;
      event.preventDefault();
      event.stopPropagation();
      closeInspector(id);
      if (!isInPlace) goBack(before.current);
    };
    document.addEventListener("focusin", note);
    document.addEventListener("keydown", pressed, { capture: true });
    return () => {
      document.removeEventListener("focusin", note);
      document.removeEventListener("keydown", pressed, { capture: true });
    };
  }, [id, isInPlace]);
}

const isInside = (target: EventTarget | null): boolean => target instanceof Element && !!target.closest(".inspector");

/** A field with words in it has its own use for the key. A choice always has a value, and none of its own for it. */
const isWritten = (target: EventTarget | null): boolean =>
  isTyping(target) &&
  !(target instanceof HTMLSelectElement) &&
  (target as HTMLInputElement | HTMLTextAreaElement).value !== "";

function goBack(to: Element | null): void {
  const toggle = document.querySelector<HTMLElement>("#inspector-toggle");
  if (to instanceof HTMLElement && to !== document.body && to.isConnected) to.focus();
  else toggle?.focus();
}

const KEYS: Record<string, (at: number) => number> = {
  ArrowRight: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  Home: () => 0,
  End: () => -1,
};

function TabFigure({ tab }: { tab: Tab }) {
  switch (tab) {
    case "tasks":
      return <TasksFigure />;
    case "files":
      return <FilesFigure />;
    default:
      return null;
  }
}

function TasksFigure() {
  const tasks = usePart("tasks");
  const done = tasks.filter((task) => task.status === "completed").length;
  return tasks.length === 0 ? null : (
    <span className="num">
      {done}/{tasks.length}
    </span>
  );
}

function FilesFigure() {
  const files = useItems(changedFiles);
  return files.length === 0 ? null : <span className="num">{files.length}</span>;
}
