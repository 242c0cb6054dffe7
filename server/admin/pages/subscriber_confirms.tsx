import { Confirm } from "../parts/confirm.tsx";
import { SwitchField, TextField } from "../parts/field.tsx";
import type { View } from "../view.ts";

/** The button that resubscribes a person, with its confirmation. */
export function AllowAgain(
  { view, match, primary }: { view: View; match: Record<string, string>; primary: boolean },
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

/** The values of a form that erases a person, where nobody has changed them yet. */
export const ERASE_FIELDS = { provider: true };

/** What an erasure leaves where cfbe can't erase at the provider. */
export const STAYS_AT_PROVIDER =
  "cfbe can't erase at this provider. Subscribers stay on its lists, and can still get emails, until you delete them there.";

/** The button that erases a person, with its confirmation. */
export function Erase({ view, email }: { view: View; email: string }) {
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
      {view.app.provider.capabilities.erasure
        ? (
          <SwitchField
            path="provider"
            label="Also erase at the provider"
            help="Removes the address from every list at the provider. Otherwise the person stays on them, and can still get emails."
          />
        )
        : <p>{STAYS_AT_PROVIDER}</p>}
    </Confirm>
  );
}
