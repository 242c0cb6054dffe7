import { type BulkRunRow, readBulkRun } from "../../subscribers/bulk/run.ts";
import type { BulkAct } from "../../subscribers/bulk/preview.ts";
import { definePage } from "../frame/page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { PostForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import type { View } from "../frame/view.ts";
import { SkippedTable } from "./subscribers_bulk.tsx";

/** The progress of the latest bulk action. It shows no addresses. */
export const bulkPage = definePage({
  path: "/bulk",
  title: "Bulk action",
  capability: "personal",
  services: ["kv", "activation"],
  async render(view) {
    const run = await readBulkRun(view.app.kv);
    return (
      <>
        <p class="back">
          <a href={view.href("/subscribers")}>All subscribers</a>
        </p>
        {run ? <Progress view={view} run={run} /> : (
          <Card>
            <Empty title="No bulk action yet">
              <a href={view.href("/subscribers")}>Select people on the Subscribers page</a>
            </Empty>
          </Card>
        )}
      </>
    );
  },
});

const TITLES: Record<BulkAct, string> = {
  resend: "Resend confirmation emails",
  erase: "Erase people",
};
const DONE: Record<BulkAct, string> = { resend: "queued for delivery", erase: "erased" };
const ENDED: Record<NonNullable<BulkRunRow["ended"]>["how"], string> = {
  done: "Finished.",
  canceled: "Canceled. The others are unchanged.",
  failed: "Failed. The others are unchanged. See the Jobs page and cfbe's log for the cause.",
};

/** Returns the progress as a sentence, such as `120 of 350 handled: 100 queued for delivery, 20 skipped.` */
export function progressText({ act, done, skipped, total, more }: BulkRunRow): string {
  const left = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  const number = (count: number) => count.toLocaleString("en");
  const all = more ? `at least ${number(total)}` : number(total);
  return `${number(done + left)} of ${all} handled: ${number(done)} ${DONE[act]}, ${number(left)} skipped.`;
}

function Progress({ view, run }: { view: View<"activation">; run: BulkRunRow }) {
  const { act, by, startedAt, ended, done, skipped, total, more } = run;
  const text = progressText(run);
  const handled = done + Object.values(skipped).reduce((sum, count) => sum + count, 0);
  return (
    <div
      id="run"
      data-live={`${text} ${ended?.how}`}
      data-watch={ended ? undefined : ""}
      data-announce={ended ? `${ENDED[ended.how]} ${text}` : undefined}
    >
      <Card
        title={TITLES[act]}
        lead={
          <>
            Started by {by}, <Moment at={startedAt} />.
          </>
        }
      >
        {ended && <Notice kind={ended.how === "done" ? "good" : "warn"}>{ENDED[ended.how]}</Notice>}
        {!ended && !view.app.activation.isActive() && (
          <Notice kind="warn">Paused while cfbe is deactivated.</Notice>
        )}
        <p class="progress-text">
          {!ended && (
            <progress class="progress-bar" max={total} value={more ? undefined : Math.min(handled, total)}>
              {text}
            </progress>
          )}
          {text}
        </p>
        <SkippedTable skipped={skipped} />
        {!ended && (
          <>
            <PostForm view={view} action="cfbe_cancel_bulk">
              <div class="buttons">
                <button type="submit">Cancel the rest</button>
              </div>
            </PostForm>
            <noscript>
              <p class="help">Reload this page to see the progress.</p>
            </noscript>
          </>
        )}
      </Card>
    </div>
  );
}
