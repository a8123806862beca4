// What is to be done and what is being done: the agent's own list, its subagents, and what runs in the background.

import { useItems, usePart } from "../../../store/use";
import { Arc, Icon } from "../../Icon";
import { useOpen } from "../../item/open";
import { Counting } from "../../item/time";
import { clock } from "../../words";
import { keep, useKept } from "../kept";
import { Agents } from "./Agents";
import { Jobs } from "./Jobs";
import {
  begunAt,
  byState,
  type SeenTask,
  STATE_NAMES,
  seenTasks,
  segments,
  taskKey,
  taskNotes,
  taskWords,
  updatedAt,
} from "./tasks";

export function TasksPane() {
  const tasks = usePart("tasks");
  return (
    <>
      {tasks.length === 0 ? <NoTasks /> : <TaskList tasks={seenTasks(tasks)} />}
      <Agents />
      <Jobs />
    </>
  );
}

function NoTasks() {
  return (
    <section aria-label="Tasks">
      <div className="pane-head">
        <h2>Tasks</h2>
      </div>
      <p className="hint">The agent keeps no list here yet. It makes one when there is much to do, or when you ask.</p>
    </section>
  );
}

function TaskList({ tasks }: { tasks: readonly SeenTask[] }) {
  const { byStatus } = useKept();
  const done = tasks.filter(({ state }) => state === "done").length;
  const words = `${done} of ${tasks.length} done`;
  const at = useItems(updatedAt);
  return (
    <section aria-label="Tasks">
      <div className="pane-head">
        <h2>{words}</h2>
        {at === undefined ? null : <span className="hint num">updated {clock(at)}</span>}
        <span className="grow" />
        <label className="tick hint">
          <input type="checkbox" checked={byStatus} onChange={(event) => keep({ byStatus: event.target.checked })} />
          By status
        </label>
      </div>
      <svg className="segbar" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={words}>
        {segments(tasks).map(({ kind, x, width }) => (
          <rect key={x} className={kind} x={x} width={width} height="4" />
        ))}
      </svg>
      {byStatus ? (
        byState(tasks).map((group) => (
          <section key={group.state} aria-label={STATE_NAMES[group.state]}>
            <h3 className="pane-group">
              {STATE_NAMES[group.state]} <span className="num">{group.tasks.length}</span>
            </h3>
            <Rows tasks={group.tasks} />
          </section>
        ))
      ) : (
        <Rows tasks={tasks} />
      )}
    </section>
  );
}

function Rows({ tasks }: { tasks: readonly SeenTask[] }) {
  const begun = useItems(begunAt);
  return (
    <ul>
      {tasks.map((task) => (
        <TaskRow key={task.task.id} seen={task} since={begun.get(taskKey(task.task))} />
      ))}
    </ul>
  );
}

function TaskRow({ seen, since }: { seen: SeenTask; since: number | undefined }) {
  const { task, state } = seen;
  const notes = taskNotes(seen);
  const words = taskWords(seen);
  const { description } = task;
  const hasMore = description !== undefined && description !== "" && description !== task.subject;
  const [isOpen, toggle] = useOpen(`inspector:task:${task.id}`, false);
  return (
    <li className={`task ${state}`}>
      <Glyph seen={seen} />
      {hasMore ? (
        <button type="button" className="t" aria-expanded={isOpen} onClick={toggle}>
          {words}
        </button>
      ) : (
        <span className="t">{words}</span>
      )}
      <span className="id num">{task.id}</span>
      {state === "active" && since !== undefined ? (
        <span className="note">
          <Counting since={since} /> {notes.map((note) => `· ${note}`).join(" ")}
        </span>
      ) : notes.length === 0 ? null : (
        <span className="note">{notes.join(" · ")}</span>
      )}
      {hasMore && isOpen ? <p className="note as-written">{description}</p> : null}
    </li>
  );
}

const GLYPHS = { blocked: "blocked", open: "circle", done: "okring" } as const;

function Glyph({ seen: { state } }: { seen: SeenTask }) {
  const label = STATE_NAMES[state];
  return state === "active" ? (
    <span className="ic-box">
      <Arc />
      <span className="vh">{label}</span>
    </span>
  ) : (
    <Icon name={GLYPHS[state]} label={label} />
  );
}
