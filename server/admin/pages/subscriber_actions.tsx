import type { ComponentChildren, VNode } from "preact";
import { RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import type { ConfirmationMarkerRow } from "../../signup/delivery/confirmation_marker.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import {
  type ActionRefusal,
  allowAgainRefusal,
  DEACTIVATED,
  resendRefusal,
} from "../../subscribers/actions.ts";
import { Confirm } from "../parts/confirm.tsx";
import { SwitchField, TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Moment } from "../parts/table.tsx";
import type { View } from "../view.ts";

interface State {
  view: View;
  record: SignupRecord;
  /** When this mailbox was last sent a confirmation email. */
  marker: ConfirmationMarkerRow | null;
}

/** An action with its button, and beside it what it does or why it is not possible. */
interface Row {
  name: "check" | "resend" | "allow_again" | "print" | "export" | "erase";
  button(primary: boolean): VNode;
  note: ComponentChildren;
  refused: boolean;
}

/**
 * The actions, the one that fits the signup's state first. On phones, that one stays at the bottom of the screen, and
 * a button opens the others.
 */
export function SubscriberActions(state: State) {
  const rows = rowsOf(state);
  const name = primaryOf(state.record, rows);
  const primary = rows.find((row) => row.name === name)!;
  return (
    <section class="card actions" id="actions" aria-labelledby="actions-title">
      <header>
        <h2 id="actions-title">Actions</h2>
      </header>
      <ul class="action-list">
        <ActionRow row={primary} primary={!primary.refused} />
      </ul>
      <button type="button" class="open-actions" popovertarget="more-actions">More actions</button>
      <div class="more-actions" id="more-actions" popover="auto">
        <ul class="action-list">
          {rows.filter((row) => row !== primary).map((row) => (
            <ActionRow key={row.name} row={row} primary={false} />
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Returns the action that a signup in this state most likely needs. */
function primaryOf({ status, listStatus }: SignupRecord, rows: readonly Row[]): Row["name"] {
  const may = (name: Row["name"]) => rows.some((row) => row.name === name && !row.refused);
  if (may("resend")) return "resend";
  if (listStatus === "unsubscribed" && may("allow_again")) return "allow_again";
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

function rowsOf({ view, record, marker }: State): Row[] {
  const { email, list, status, listStatus } = record;
  const { provider, activation } = view.app;
  const match = { email, list };
  const active = activation.isActive() ? undefined : DEACTIVATED;
  const resend = active ?? resendRefusal(provider, record, marker, view.now);
  const allowAgain = active ?? allowAgainRefusal(provider, record);
  const hasLeft = listStatus === "unsubscribed" || status === "failed" || status === "expired";

  const form =
    (action: string, label: string, name: Row["name"], refusal?: ActionRefusal) => (primary: boolean) => (
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
  const row = (
    name: Row["name"],
    action: string,
    button: Row["button"],
    does: ComponentChildren,
    refusal?: ActionRefusal,
  ): Row => ({
    name,
    button,
    refused: refusal !== undefined || !view.mayRun(action),
    note: view.mayRun(action) ? refusal ? <Why refusal={refusal} /> : does : "Your role does not allow this.",
  });

  return [
    row(
      "check",
      "cfbe_check_signup",
      form("cfbe_check_signup", "Check now", "check", active),
      "Fetches the current status from the provider.",
      active,
    ),
    row(
      "resend",
      "cfbe_resend_confirmation",
      form("cfbe_resend_confirmation", "Resend confirmation", "resend", resend),
      "A mailbox gets at most one resend per day, and three confirmation emails in 24 hours.",
      resend,
    ),
    ...hasLeft
      ? [row(
        "allow_again",
        "cfbe_allow_again",
        (primary) => (
          <AllowAgain view={view} match={match} primary={primary} refused={allowAgain !== undefined} />
        ),
        "Reactivates someone who unsubscribed and asked you to come back.",
        allowAgain,
      )]
      : [],
    {
      name: "print",
      button: (primary) => (
        <button type="button" class={primary ? "primary" : undefined} data-print>
          Print proof of consent
        </button>
      ),
      note: (
        <>
          Prints the <a href="#proof">sheet below</a>. Without JavaScript, use your browser's print command.
        </>
      ),
      refused: false,
    },
    row(
      "export",
      "cfbe_export_person",
      form("cfbe_export_person", "Export data", "export"),
      "Shows everything held about this person, to download or print.",
    ),
    row(
      "erase",
      "cfbe_erase_person",
      () => <Erase view={view} email={email} />,
      "Deletes everything about this person, on all lists.",
    ),
  ];
}

function Why({ refusal: { reason, until } }: { refusal: ActionRefusal }) {
  if (until === undefined) return <>{reason}</>;
  return (
    <>
      Sent <Moment at={until - RESEND_INTERVAL_MS} />. Possible again from <Moment at={until} />.
    </>
  );
}

function AllowAgain(
  { view, match, primary, refused }: {
    view: View;
    match: Record<string, string>;
    primary: boolean;
    refused: boolean;
  },
) {
  if (refused) return <button type="button" disabled aria-describedby="allow_again-note">Resubscribe</button>;
  return (
    <Confirm
      view={view}
      id="allow-again"
      button="Resubscribe"
      title="Resubscribe this person?"
      action="cfbe_allow_again"
      match={match}
      yes="Resubscribe"
      danger={false}
      primary={primary}
    >
      <p>
        They unsubscribed from this list. The provider reactivates them immediately, without another
        confirmation. Do this only if they asked you to. Your note about how they asked is kept in the
        timeline.
      </p>
      <TextField path="note" label="How did they ask?" required minLength={3} autocomplete="off" />
    </Confirm>
  );
}

function Erase({ view, email }: { view: View; email: string }) {
  return (
    <Confirm
      view={view}
      id="erase"
      button="Erase"
      title={`Erase ${email}?`}
      action="cfbe_erase_person"
      match={{ email }}
      yes="Erase permanently"
    >
      <p>
        Deletes all signups, proofs of consent, carts, orders and jobs of this address, on every list. This
        can't be undone.
      </p>
      {view.app.provider.capabilities.erasure && (
        <SwitchField
          path="provider"
          label="Also erase at the provider"
          help="Removes the address from every list at the provider."
        />
      )}
    </Confirm>
  );
}
