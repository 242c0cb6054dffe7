import type { ComponentChildren, VNode } from "preact";
import { RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import type { ConfirmationMarkerRow } from "../../signup/delivery/confirmation_marker.ts";
import { reachableTitles } from "../../subscribers/privacy/targets.ts";
import { providerOf } from "../../signup/record/provider_of.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import {
  type ActionRefusal,
  allowAgainRefusal,
  DEACTIVATED,
  resendRefusal,
} from "../../subscribers/person/actions.ts";
import { PostForm } from "../parts/form.tsx";
import { Moment } from "../parts/site_time.tsx";
import type { View } from "../frame/view.ts";
import { AllowAgain, Erase } from "./subscriber_confirms.tsx";

interface State {
  view: View<"signupProviders" | "activation" | "people">;
  record: SignupRecord;
  /** When this mailbox was last sent a confirmation email. */
  marker: ConfirmationMarkerRow | null;
}

/** An action with its button, and beside it what it does or why it is not possible. */
interface Row {
  name: "check" | "resend" | "allow_again" | "print" | "export" | "erase";
  /** The action that the button runs. Users who may not run it don't see the row. */
  action?: string;
  button(primary: boolean): VNode;
  note: ComponentChildren;
  refused: boolean;
}

/**
 * The actions, the one that fits the signup's state first. On phones, that one stays at the bottom of the screen, and
 * a button opens the others.
 */
export function SubscriberActions(state: State) {
  const rows = rowsOf(state).filter(({ action }) => action === undefined || state.view.mayRun(action));
  const name = primaryOf(state.record, rows);
  const first = rows.find((row) => row.name === name) ?? PRINT;
  const others = rows.filter((row) => row !== first);
  return (
    <section
      class="card actions"
      id="actions"
      aria-labelledby="actions-title"
      data-live={`${state.record.status} ${state.record.listStatus}`}
    >
      <header>
        <h2 id="actions-title">Actions</h2>
        {!state.view.may("people") && (
          <p class="lead">Only admins and support can check, resend, export and erase.</p>
        )}
      </header>
      <ul class="action-list">
        <ActionRow row={first} primary={first.name === name && !first.refused} />
      </ul>
      {others.length > 0 && (
        <>
          <button type="button" class="open-actions" popovertarget="more-actions">More actions</button>
          <div class="more-actions" id="more-actions" popover="auto">
            <ul class="action-list">
              {others.map((row) => <ActionRow key={row.name} row={row} primary={false} />)}
            </ul>
          </div>
        </>
      )}
    </section>
  );
}

/** Returns the action that a signup in this state most likely needs. */
function primaryOf({ status }: SignupRecord, rows: readonly Row[]): Row["name"] {
  const may = (name: Row["name"]) => rows.some((row) => row.name === name && !row.refused);
  if (may("resend")) return "resend";
  return status === "active" ? "print" : "check";
}

function ActionRow({ row: { name, button, note }, primary }: { row: Row; primary: boolean }) {
  return (
    <li>
      {button(primary)}
      <p class="help" id={`${name}-note`}>{note}</p>
    </li>
  );
}

function rowsOf(state: State): Row[] {
  const { status, listStatus } = state.record;
  const hasLeft = listStatus === "unsubscribed" || status === "failed" || status === "expired";
  return [
    checkRow(state),
    resendRow(state),
    PRINT,
    exportRow(state),
    ...hasLeft ? [allowAgainRow(state)] : [],
    eraseRow(state),
  ];
}

function checkRow({ view, record }: State): Row {
  const refusal = whileDeactivated(view);
  return rowOf("cfbe_check_signup", {
    name: "check",
    button: submitButton(view, "cfbe_check_signup", matchOf(record), "Check now", "check", refusal),
    does: "Fetches the current status from the provider.",
    refusal,
  });
}

const providerFor = ({ app }: View<"signupProviders">, record: SignupRecord) =>
  providerOf(app.signupProviders, record);

function resendRow({ view, record, marker }: State): Row {
  const refusal = whileDeactivated(view) ??
    resendRefusal(providerFor(view, record), record, marker, view.now);
  const action = "cfbe_resend_confirmation";
  return rowOf(action, {
    name: "resend",
    button: submitButton(view, action, matchOf(record), "Resend confirmation", "resend", refusal),
    does: "A mailbox gets at most one resend per day, and three confirmation emails in 24 hours.",
    refusal,
  });
}

function allowAgainRow({ view, record }: State): Row {
  const refusal = whileDeactivated(view) ?? allowAgainRefusal(providerFor(view, record), record);
  return rowOf("cfbe_allow_again", {
    name: "allow_again",
    button: () =>
      refusal
        ? <button type="button" disabled aria-describedby="allow_again-note">Resubscribe</button>
        : <AllowAgain view={view} match={matchOf(record)} />,
    does: "Reactivates someone who unsubscribed and asked you to come back.",
    refusal,
  });
}

const PRINT: Row = {
  name: "print",
  button: (primary) => (
    <button type="button" class={primary ? "primary" : undefined} data-print>Print proof of consent</button>
  ),
  note: (
    <>
      Prints the <a href="#proof">sheet below</a>. Without JavaScript, use your browser's print command.
    </>
  ),
  refused: false,
};

function exportRow({ view, record: { email } }: State): Row {
  return rowOf("cfbe_export_person", {
    name: "export",
    button: submitButton(view, "cfbe_export_person", { email }, "Export data", "export"),
    does: "Shows everything held about this person, to download or print.",
  });
}

function eraseRow({ view, record: { email } }: State): Row {
  return rowOf("cfbe_erase_person", {
    name: "erase",
    button: () => <Erase view={view} email={email} />,
    does: reachableTitles(view.app.people.targets()).length > 0
      ? "Deletes everything about this person in cfbe, on all lists. You choose whether the provider does too."
      : "Deletes everything about this person in cfbe, on all lists. They stay on the provider's lists.",
  });
}

const whileDeactivated = ({ app }: View<"activation">): ActionRefusal | undefined =>
  app.activation.isActive() ? undefined : DEACTIVATED;
const matchOf = ({ email, list }: SignupRecord) => ({ email, list });

/** @param does what the action does, said unless a rule refuses it */
function rowOf(
  action: string,
  { name, button, does, refusal }: Pick<Row, "name" | "button"> & {
    does: string;
    refusal?: ActionRefusal | undefined;
  },
): Row {
  const note = refusal ? <Why refusal={refusal} /> : does;
  return { name, action, button, note, refused: refusal !== undefined };
}

function submitButton(
  view: View,
  action: string,
  match: Record<string, string>,
  label: string,
  name: Row["name"],
  refusal?: ActionRefusal,
): Row["button"] {
  return (primary) => (
    <PostForm view={view} action={action} match={match} class="inline">
      <button
        type="submit"
        class={primary ? "primary" : undefined}
        disabled={refusal !== undefined}
        aria-describedby={`${name}-note`}
      >
        {label}
      </button>
    </PostForm>
  );
}

function Why({ refusal: { reason, until } }: { refusal: ActionRefusal }) {
  if (until === undefined) return <>{reason}</>;
  return (
    <>
      Sent <Moment at={until - RESEND_INTERVAL_MS} />. Possible again from <Moment at={until} />.
    </>
  );
}
