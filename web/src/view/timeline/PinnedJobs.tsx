// What runs in the background, pinned under the header until it ends.

import type { Job } from "../../generated";
import { usePart } from "../../store/use";
import { Arc } from "../Icon";
import { StopTask } from "../item/StopTask";
import { Counting } from "../item/time";
import { count } from "../words";

export function PinnedJobs() {
  const jobs = usePart("jobs").filter((job) => job.background && job.status === "running");
  return jobs.length === 0 ? null : (
    <section className="pinned" aria-label="In the background">
      <ul className="col">
        {jobs.map((job) => (
          <li key={job.id}>
            <Arc />
            <Words job={job} />
            <span className="grow" />
            {job.tokens === undefined ? null : <span className="opt-meta num">{count(job.tokens)} tokens</span>}
            <Counting since={job.startedAt} />
            <StopTask task={job.id} what={job.description} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Words({ job }: { job: Job }) {
  const words = job.description || job.agentType || job.id;
  return (
    <>
      <span className="cut" title={words}>
        {words}
      </span>
      {job.lastTool === undefined ? null : <span className="faint opt-meta">{job.lastTool}</span>}
    </>
  );
}
