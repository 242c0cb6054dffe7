import type { VNode } from "preact";
import type { ConfirmationMarkerRow } from "../../signup/delivery/confirmation_marker.ts";
import { providerOf } from "../../signup/record/provider_of.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { DEACTIVATED, resendRefusal } from "../../subscribers/person/actions.ts";
import { confirmationSentAt } from "../../subscribers/person/confirmation_sent.ts";
import { Moment } from "../parts/site_time.tsx";
import type { View } from "../frame/view.ts";

/** Among the facts of an unconfirmed signup: when its confirmation email was sent, and when it can be sent again. */
export function ConfirmationEmail(
  { view, record, marker }: {
    view: View<"signupProviders" | "activation">;
    record: SignupRecord;
    marker: ConfirmationMarkerRow | null;
  },
): VNode | null {
  const { status } = record;
  if (status !== "pending" && status !== "expired") return null;
  const { signupProviders, activation } = view.app;
  const refusal = activation.isActive()
    ? resendRefusal(providerOf(signupProviders, record), record, marker, view.now)
    : DEACTIVATED;
  const sentAt = confirmationSentAt(record, marker);
  return (
    <>
      <dt>Confirmation email</dt>
      <dd>
        {sentAt === undefined ? "No time recorded" : (
          <>
            Sent <Moment at={sentAt} /> by the provider, as far as cfbe knows
          </>
        )}
        <p class="help">
          {refusal === undefined && "It can be resent now."}
          {refusal?.until !== undefined && (
            <>
              It can be resent from{" "}
              <Moment at={refusal.until} />. Until then, ask them to look in their spam folder.
            </>
          )}
          {refusal !== undefined && refusal.until === undefined && refusal.reason}
        </p>
      </dd>
    </>
  );
}
