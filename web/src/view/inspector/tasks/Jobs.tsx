// What runs beside the conversation, or has: commands and other tasks, with the end of what they wrote.

import type { Job } from "../../../generated";
import { useItem, useItems, usePart, useSession } from "../../../store/use";
import { Arc, Icon } from "../../Icon";
import { StopTask } from "../../item/StopTask";
import { Counting, Took } from "../../item/time";
import { count } from "../../words";
import { Fold } from "../Fold";
import { ShowInConversation } from "../ShowInConversation";
import { JobOutput } from "./JobOutput";
import { agentCalls, commandOf, isRunning, jobState, listedJobs } from "./jobs";

export function Jobs() {
  const jobs = usePart("jobs");
  const calls = useItems(agentCalls);
  const listed = listedJobs(jobs, calls);
  return listed.length === 0 ? null : (
    <section className="pane-sec" aria-label="Background">
      <div className="pane-head">
        <h2>Background</h2>
        <span className="num faint">{listed.length}</span>
      </div>
      <ul>
        {listed.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </ul>
    </section>
  );
}

function JobRow({ job }: { job: Job }) {
  const session = useSession();
  const runs = isRunning(job);
  const words = job.description || job.agentType || job.id;
  const command = commandOf(job, useItem(job.call ?? ""));
  const notes = [
    jobState(job),
    job.agentType,
    runs ? job.lastTool : undefined,
    job.tokens === undefined ? undefined : `${count(job.tokens)} tokens`,
    job.summary !== job.description ? job.summary : undefined,
  ].filter((note) => note !== undefined && note !== "");
  return (
    <li className={runs ? "task acts active" : "task acts"}>
      {runs ? (
        <Arc />
      ) : job.status === "failed" ? (
        <Icon name="bad" className="is-danger" />
      ) : (
        <Icon
          name={job.status === "completed" ? "okring" : "stop"}
          className={job.status === "completed" ? "is-done" : ""}
        />
      )}
      <span className="t">{words}</span>
      <span className="id num">
        {runs ? (
          <Counting since={job.startedAt} />
        ) : (
          <Took ms={job.endedAt === undefined ? undefined : job.endedAt - job.startedAt} />
        )}
      </span>
      <span className={job.status === "failed" ? "note is-danger" : "note"}>{notes.join(" · ")}</span>
      {command === undefined ? null : <code className="note wide job-command">{command}</code>}
      {job.error === undefined ? null : <span className="note is-danger">{job.error}</span>}
      <span className="task-acts">
        {runs ? <StopTask task={job.id} what={words} /> : null}
        {job.call !== undefined && session.item(job.call) ? <ShowInConversation item={job.call} what={words} /> : null}
      </span>
      <div className="note wide">
        <Fold id={`job:${job.id}`} title="Output">
          <JobOutput job={job} />
        </Fold>
      </div>
    </li>
  );
}
