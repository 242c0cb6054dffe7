import { POLL_INTERVAL_MS } from "../../../shared/limits.ts";
import { createJobAdmin } from "../../jobs/job_admin.ts";
import type { JobRow } from "../../jobs/row.ts";
import type { Page } from "../page.ts";
import { Card, Empty, Stat, Stats } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { PostForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { Moment, Pager, Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import type { View } from "../view.ts";
import { jobTitle } from "./job_titles.ts";

const STATES = ["waiting", "running", "dead", "parked"] as const;
type State = typeof STATES[number];

const TITLES: Record<State, string> = {
  waiting: "Waiting",
  running: "Running",
  dead: "Given up",
  parked: "Until activation",
};
const NOTHING: Record<State, [title: string, says: string]> = {
  waiting: ["Nothing waits", "Deliveries, checks and mails appear here until they are done."],
  running: ["Nothing runs", "A job is here for as long as an attempt at it takes: mostly under a second."],
  dead: ["Nothing was given up", "After three days of failing a job comes here, and waits for you."],
  parked: [
    "No jobs",
    "While cfbe is deactivated, unfinished jobs are kept here. They resume when you activate it.",
  ],
};

export const jobsPage: Page = {
  path: "/jobs",
  title: "Jobs",
  lead: "Work that goes on in the background, and what became of each attempt at it.",
  group: "Watch",
  capability: "view",
  async render(view) {
    const jobAdmin = createJobAdmin(view.app);
    const state = STATES.find((each) => each === view.query.get("state")) ?? "waiting";
    const after = view.query.get("after") ?? undefined;
    const [counts, page] = await Promise.all([
      jobAdmin.counts(),
      // A place that never was is the beginning.
      jobAdmin.list({ state, after }).catch(() => jobAdmin.list({ state })),
    ]);
    const at = (query: Record<string, string>) => view.href(`/jobs?${new URLSearchParams(query)}`);
    return (
      <>
        {!view.app.activation.isActive() && <Switched view={view} />}
        <Card>
          <Stats>
            {STATES.map((each) => <Stat key={each} label={TITLES[each]} value={counted(counts[each])} />)}
            <Stat label="Late by" value={duration(counts.lateMs)} />
            <Stat label="Next poll in" value={duration(POLL_INTERVAL_MS - view.now % POLL_INTERVAL_MS)} />
          </Stats>
        </Card>
        <Card
          title="Jobs"
          actions={state === "dead" && page.rows.length > 0 && (
            <PostForm view={view} action="cfbe_retry_dead_jobs" class="inline">
              <button type="submit">Send all again</button>
            </PostForm>
          )}
        >
          <Tabs
            label="State of the jobs"
            tabs={STATES.map((each) => ({
              title: TITLES[each],
              href: at({ state: each }),
              current: each === state,
            }))}
          />
          {page.rows.length === 0 ? <Empty title={NOTHING[state][0]}>{NOTHING[state][1]}</Empty> : (
            <Table
              caption={`Jobs: ${TITLES[state].toLowerCase()}`}
              rows={page.rows}
              keyOf={({ id }) => id}
              columns={[
                { title: "Job", cell: (job) => <About job={job} /> },
                { title: WHEN[state], cell: ({ due, lease }) => <Moment at={lease?.until ?? due} /> },
                { title: "Attempts", cell: ({ attempts }) => attempts, number: true },
                { title: "Change", cell: (job) => <Changes view={view} job={job} /> },
              ]}
            />
          )}
          <Pager
            first={after && at({ state })}
            next={page.after && at({ state, after: page.after })}
            words={{ first: "First page", next: "Next page" }}
          />
        </Card>
      </>
    );
  },
};

const WHEN: Record<State, string> = { waiting: "Due", running: "Until", dead: "Given up", parked: "Was due" };

function Switched({ view }: { view: View }) {
  return (
    <Notice kind="warn">
      The service is switched off: nothing is done in the background, and no signups are taken.
      <PostForm view={view} action="cfbe_activate" class="inline">
        <button type="submit">Switch it on</button>
      </PostForm>
    </Notice>
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

function Changes({ view, job }: { view: View; job: JobRow }) {
  const { id } = job;
  return (
    <div class="buttons">
      {job.state === "dead" && (
        <PostForm view={view} action="cfbe_retry_job" match={{ id }} id={`retry-${id}`} class="inline">
          <button type="submit">Send again</button>
        </PostForm>
      )}
      <Confirm
        view={view}
        id={`cancel-${id}`}
        button="Cancel"
        title="Cancel this job?"
        action="cfbe_cancel_job"
        match={{ id }}
        yes="Cancel the job"
      >
        <p>It is taken out of the queue for good. A signup that it was to deliver stays where it is.</p>
      </Confirm>
    </div>
  );
}

/** As the desk counts: so far and no further. */
function counted(count: number): string {
  return count >= 5_000 ? "5,000 or more" : count.toLocaleString("en");
}

function duration(ms: number): string {
  if (ms < 1_000) return "0 s";
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return `${Math.floor(ms / 1_000)} s`;
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
