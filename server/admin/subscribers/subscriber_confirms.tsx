import { reachableTitles, unreachedSentences } from "../../subscribers/privacy/targets.ts";
import { Confirm } from "../parts/confirm.tsx";
import { SwitchField, TextField } from "../parts/field.tsx";
import type { View } from "../frame/view.ts";

/** The button that resubscribes a person, with its confirmation. */
export function AllowAgain(
  { view, match }: { view: View; match: Record<string, string> },
) {
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

/** The values of a form that erases a person, where nobody has changed them yet. */
export const ERASE_FIELDS = { provider: true };

const TITLES = new Intl.ListFormat("en");

/** Asks whether to erase at the providers too, and names those where cfbe can't. */
export function AtProvidersField({ view, help }: { view: View<"people">; help: string }) {
  const targets = view.app.people.targets();
  const reachable = reachableTitles(targets);
  const where = targets.length === 1 ? "the provider" : TITLES.format(reachable);
  return (
    <>
      {reachable.length > 0 && <SwitchField path="provider" label={`Also erase at ${where}`} help={help} />}
      {unreachedSentences(targets).map((sentence) => <p key={sentence} class="help">{sentence}</p>)}
    </>
  );
}

/** The button that erases a person, with its confirmation. */
export function Erase({ view, email }: { view: View<"people">; email: string }) {
  return (
    <Confirm
      view={view}
      id="erase"
      button="Erase"
      title={`Erase ${email}?`}
      action="cfbe_erase_person"
      match={{ email }}
      current={ERASE_FIELDS}
      yes="Erase permanently"
    >
      <p>
        Deletes what cfbe stores about this address: all signups, proofs of consent, carts, orders and jobs,
        on every list. This can't be undone. Keyed hashes that prevent repeated emails and signups are kept,
        and listed afterward.
      </p>
      <AtProvidersField
        view={view}
        help="Removes the address from every list there. Otherwise the person stays on them, and can still get emails."
      />
    </Confirm>
  );
}
