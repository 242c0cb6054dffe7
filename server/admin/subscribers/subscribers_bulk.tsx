import { counted } from "../../platform/words/counted.ts";
import type { ComponentChildren } from "preact";
import { type MatchCount, MAX_COUNTED } from "../../subscribers/search/count.ts";
import type { BulkAct } from "../../subscribers/bulk/preview.ts";
import { type BulkReview, reviewBulk } from "./actions/bulk.ts";
import { Card } from "../parts/card.tsx";
import { TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import { AtProvidersField, ERASE_FIELDS } from "./subscriber_confirms.tsx";
import type { Search } from "./subscribers_links.ts";

const STARTS: Record<BulkAct, string> = { resend: "cfbe_resend_confirmations", erase: "cfbe_erase_people" };

/** Returns whether the user may review bulk actions, and so may select rows. */
export function mayActInBulk(view: View): boolean {
  return view.mayRun("cfbe_review_bulk");
}

/** The value of the checkbox of a row. */
export const rowValue = ({ email, list }: { email: string; list: string }) => `${email} ${list}`;

/** The list with what can be done with its checked rows, or with all that match. */
export function BulkForm(
  { view, params, count: { count, more }, children }: {
    view: View;
    params: Search;
    count: MatchCount;
    children: ComponentChildren;
  },
) {
  const number = count.toLocaleString("en");
  const all = !more ? number : count === MAX_COUNTED ? `more than ${number}` : `at least ${number}`;
  return (
    <PostForm view={view} action="cfbe_review_bulk" id="bulk" class="bulk" match={searchFields(params)}>
      <div class="bulk-bar" role="group" aria-label="Bulk actions">
        <label class="pick-all" data-pick-all hidden>
          <input type="checkbox" /> All on this page
        </label>
        {params.size > 0 && (
          <label class="pick-all">
            <input type="checkbox" name="all" value="true" data-all={all} /> All {all} that match
          </label>
        )}
        <p class="help" data-picked aria-live="polite"></p>
        <div class="buttons">
          {view.may("people") && (
            <button type="submit" formaction={view.href("/subscribers/subscribers.csv")}>
              Export selected
            </button>
          )}
          {view.mayRun(STARTS.resend) && (
            <button type="submit" name="act" value="resend">Resend confirmation…</button>
          )}
          {view.mayRun(STARTS.erase) && (
            <button type="submit" class="danger" name="act" value="erase">Erase…</button>
          )}
        </div>
      </div>
      {children}
    </PostForm>
  );
}

function searchFields(params: Search): Record<string, string> {
  return Object.fromEntries([...params].map(([field, value]) => [`search.${field}`, value]));
}

/** Returns the review to show: one that was just requested, or that of a start that was refused. */
export async function reviewOf(
  view: View<"kv" | "clock" | "keyring" | "signupProviders">,
): Promise<BulkReview | undefined> {
  if (view.done?.action === "cfbe_review_bulk") return view.done.data as BulkReview;
  const act = (Object.keys(STARTS) as BulkAct[]).find((each) => view.posted?.action === STARTS[each]);
  // What was selected may not match anything anymore.
  return act && await reviewBulk(view.app, act, view.posted?.input).catch(() => undefined);
}

/** What a bulk action would do, and the form that starts it. */
export function Review(
  { view, review: { act, preview, selected } }: { view: View<"people">; review: BulkReview },
) {
  const { total, more, possible, skipped, possibleFrom } = preview;
  const match = {
    ...Object.fromEntries(selected.rows.map((row, index) => [`rows.${index}`, rowValue(row)])),
    ...(selected.all && { all: "true" }),
    ...searchFields(new Map(Object.entries(selected.search)) as Search),
  };
  const number = possible.toLocaleString("en");
  const back = view.href(view.path + view.search);
  const tooMany = act === "erase" && more;
  return (
    <Card title={TITLES[act](number, possible, more)} id="review">
      {more && (
        <p class="help">
          {tooMany
            ? `At most ${MAX_COUNTED.toLocaleString("en")} people can be erased at once. Add a filter.`
            : `These are the first ${
              total.toLocaleString("en")
            } that match. The action continues with the rest.`}
        </p>
      )}
      <SkippedTable skipped={skipped} possibleFrom={possibleFrom} />
      {possible > 0 && !tooMany
        ? (
          <PostForm view={view} action={STARTS[act]} match={match} current={ERASE_FIELDS}>
            {act === "erase" ? <EraseFields view={view} total={total} /> : (
              <p class="help">
                Emails go out in the background, about ten per second. A mailbox gets at most one resend per
                day, and three confirmation emails in 24 hours.
              </p>
            )}
            <div class="buttons">
              <button type="submit" class={act === "erase" ? "danger primary" : "primary"}>
                {act === "erase" ? `Erase ${people(total)} permanently` : "Resend confirmation"}
              </button>
              <a class="button" href={back}>Cancel</a>
            </div>
          </PostForm>
        )
        : <a class="button" href={back}>Close</a>}
    </Card>
  );
}

const people = (count: number) => counted(count, "person", "people");

const TITLES: Record<BulkAct, (number: string, count: number, more: boolean) => string> = {
  resend(number, count, more) {
    if (count === 0) return "Nobody here can be sent another confirmation email now";
    return `Resend the confirmation email to ${more ? "at least " : ""}${number} ${
      count === 1 ? "person" : "people"
    }?`;
  },
  erase: (number, count, more) =>
    more ? "Too many people to erase at once" : `Erase ${number} ${count === 1 ? "person" : "people"}?`,
};

/**
 * Why people are skipped, and how many.
 *
 * @param props.possibleFrom from when the action is possible for the first of them, by reason, in Unix milliseconds
 */
export function SkippedTable(
  { skipped, possibleFrom = {} }: {
    skipped: Record<string, number>;
    possibleFrom?: Record<string, number>;
  },
) {
  const rows = Object.entries(skipped);
  if (rows.length === 0) return null;
  return (
    <Table
      caption="Skipped"
      rows={rows}
      keyOf={([reason]) => reason}
      columns={[
        { title: "Skipped because", cell: ([reason]) => reason },
        { title: "Number", number: true, cell: ([, count]) => count.toLocaleString("en") },
        ...Object.keys(possibleFrom).length > 0
          ? [{
            title: "Possible again",
            cell: ([reason]: [string, number]) =>
              possibleFrom[reason] === undefined ? "Waiting changes nothing" : (
                <>
                  from <Moment at={possibleFrom[reason]} />
                </>
              ),
          }]
          : [],
      ]}
    />
  );
}

function EraseFields({ view, total }: { view: View<"people">; total: number }) {
  return (
    <>
      <p>
        Deletes what cfbe stores about these people: all signups, proofs of consent, carts, orders and jobs,
        on every list. This can't be undone.
      </p>
      <AtProvidersField
        view={view}
        help="Removes the addresses from every list there. Otherwise the people stay on them, and can still get emails."
      />
      <TextField
        path="typed"
        label="Number of people to erase"
        required
        autocomplete="off"
        help={`Type ${total} to confirm.`}
      />
    </>
  );
}
