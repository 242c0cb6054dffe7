import { POLL_INTERVAL_MS } from "../../../shared/limits.ts";
import { waitsForRetry } from "../../platform/jobs/bring_forward.ts";
import { createJobAdmin } from "../../platform/jobs/job_admin.ts";
import { JOB_STATES, type JobRow } from "../../platform/jobs/row.ts";
import { definePage } from "../frame/page.ts";
import { Card, Empty, Stat, Stats } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { PostForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Pager, shownText, Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import type { View } from "../frame/view.ts";
import { jobTitle } from "./job_titles.ts";

/** More jobs of one state are not counted, so that the page stays fast. */
const MOST_COUNTED = 1_000;

type State = JobRow["state"];

const TITLES: Record<State, string> = {
  waiting: "Queued",
  running: "Running",
  dead: "Failed",
  parked: "Paused",
};
const EMPTY: Record<State, [title: string, text: string]> = {
  waiting: ["No queued jobs", "Deliveries, status checks and emails appear here until they are done."],
  running: ["No running jobs", "Jobs appear here while they run, usually for less than a second."],
  dead: ["No failed jobs", "A job that fails for three days ends up here."],
  parked: [
    "No paused jobs",
    "While cfbe is deactivated, unfinished jobs are kept here. They resume when you activate it.",
  ],
};

export const jobsPage = definePage({
  path: "/jobs",
  title: "Jobs",
  lead: "Background work: what is queued, running or failed.",
  group: "Audience & activity",
  icon: "jobs",
  shortcut: "j",
  capability: "personal",
  limits(view) {
    if (view.may("operate")) return undefined;
    return view.may("signups")
      ? "You can retry single jobs. Only admins can retry all of them, and cancel jobs."
      : "You can read this page. Only admins and support can retry jobs, and only admins can cancel them.";
  },
  services: ["kv", "clock", "random", "activation"],
  async render(view) {
    const jobAdmin = createJobAdmin(view.app);
    const state = JOB_STATES.find((each) => each === view.query.get("state")) ?? "waiting";
    const after = view.query.get("after") ?? undefined;
    const [counts, page] = await Promise.all([
      jobAdmin.counts(MOST_COUNTED),
      // A cursor that is not valid shows the first page.
      jobAdmin.list({ state, after }).catch(() => jobAdmin.list({ state })),
    ]);
    const hrefOf = (query: Record<string, string>) => view.href(`/jobs?${new URLSearchParams(query)}`);
    return (
      <>
        {!view.app.activation.isActive() && <Deactivated view={view} />}
        <Card>
          <Stats>
            {JOB_STATES.map((each) => (
              <Stat key={each} label={TITLES[each]} value={upToMost(counts[each])} />
            ))}
            <Stat label="Longest delay" value={counts.lateMs < 1_000 ? "None" : duration(counts.lateMs)} />
            <Stat label="Next poll in" value={duration(POLL_INTERVAL_MS - view.now % POLL_INTERVAL_MS)} />
          </Stats>
        </Card>
        <Card
          title="Jobs"
          results={`${TITLES[state]}: ${
            shownText(page.rows.length, ["job", "jobs"], page.after !== undefined)
          }`}
          actions={<RetryAll view={view} state={state} jobs={page.rows} />}
        >
          <Tabs
            label="Job state"
            tabs={JOB_STATES.map((each) => ({
              title: TITLES[each],
              href: hrefOf({ state: each }),
              current: each === state,
            }))}
          />
          {page.rows.length === 0 ? <Empty title={EMPTY[state][0]}>{EMPTY[state][1]}</Empty> : (
            <Table
              caption={`Jobs: ${TITLES[state].toLowerCase()}`}
              rows={page.rows}
              keyOf={({ id }) =>
                id}
              columns={[
                { title: "Job", cell: (job) => <About job={job} /> },
                { title: WHEN[state], cell: ({ due, lease }) => <Moment at={lease?.until ?? due} /> },
                {
                  title: "Attempts",
                  cell: ({ attempts }) =>
                    attempts,
                  number: true,
                },
                ...ACTIONS.some(view.mayRun)
                  ? [{ title: "Actions", cell: (job: JobRow) => <Actions view={view} job={job} /> }]
                  : [],
              ]}
            />
          )}
          <Pager
            first={after && hrefOf({ state })}
            next={page.after && hrefOf({ state, after: page.after })}
            words={{ first: "First page", next: "Next page" }}
          />
        </Card>
      </>
    );
  },
});

/** The actions for single jobs. */
const ACTIONS = ["cfbe_retry_job", "cfbe_cancel_job"];

const WHEN: Record<State, string> = {
  waiting: "Due",
  running: "Times out",
  dead: "Failed",
  parked: "Was due",
};

function Deactivated({ view }: { view: View }) {
  return (
    <Notice kind="warn">
      cfbe is deactivated. It runs no background jobs and rejects signups.
      <PostForm view={view} action="cfbe_activate" class="inline">
        <button type="submit">Activate</button>
      </PostForm>
    </Notice>
  );
}

function RetryAll(
  { view, state, jobs }: { view: View<"activation">; state: State; jobs: readonly JobRow[] },
) {
  if (state === "dead" && jobs.length > 0) {
    return (
      <PostForm view={view} action="cfbe_retry_dead_jobs" class="inline">
        <button type="submit">Retry all</button>
      </PostForm>
    );
  }
  if (!jobs.some((job) => waitsForRetry(job, view.now)) || !view.app.activation.isActive()) return null;
  return (
    <PostForm view={view} action="cfbe_retry_waiting_jobs" class="inline">
      <button type="submit">Run all retries now</button>
    </PostForm>
  );
}

function About({ job }: { job: JobRow }) {
  const { title, about } = jobTitle(job);
  return (
    <>
      <strong>{title}</strong> {about && <span class="about">{about}</span>}
      {job.history.length > 0 && (
        <details>
          <summary>{job.history.at(-1)!.note}</summary>
          <ol class="causes">
            {job.history.toReversed().map(({ at, note }, index) => (
              <li key={index}>
                <Moment at={at} />: {note}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function Actions({ view, job }: { view: View; job: JobRow }) {
  const { id } = job;
  return (
    <div class="buttons">
      {job.state === "dead" && (
        <PostForm view={view} action="cfbe_retry_job" match={{ id }} id={`retry-${id}`} class="inline">
          <button type="submit">Retry</button>
        </PostForm>
      )}
      {waitsForRetry(job, view.now) && (
        <PostForm view={view} action="cfbe_retry_job" match={{ id }} id={`retry-${id}`} class="inline">
          <button type="submit">Run now</button>
        </PostForm>
      )}
      <Confirm
        view={view}
        id={`cancel-${id}`}
        button="Cancel"
        title="Cancel this job?"
        action="cfbe_cancel_job"
        match={{ id }}
        yes="Cancel job"
        no="Keep job"
      >
        <p>
          The job is deleted permanently. If it delivers a signup, the signup keeps its current status.
        </p>
      </Confirm>
    </div>
  );
}

function upToMost(count: number): string {
  const number = count.toLocaleString("en");
  return count === MOST_COUNTED ? `${number} or more` : number;
}

function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return `${Math.floor(ms / 1_000)} s`;
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
