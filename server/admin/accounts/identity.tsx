import { OIDC_START } from "../auth/oidc/paths.ts";
import type { View } from "../frame/view.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge } from "../parts/notice.tsx";

/** The own account at the identity provider; nothing without one, or for the user of `CFBE_ADMIN_PASSWORD`. */
export function IdentityCard({ view }: { view: View<"admin"> }) {
  const { oidc } = view.app.admin;
  const { identity, fixed } = view.actor.session.user;
  if (!oidc || fixed) return null;
  const { name } = oidc;
  if (identity) {
    return (
      <Card
        title={`Account at ${name}`}
        lead={
          <>
            <Badge kind="good">connected</Badge> <span class="whole">{identity.label}</span>
          </>
        }
      >
        <div class="buttons">
          <Confirm
            view={view}
            id="disconnect-identity"
            button="Disconnect"
            title={`Disconnect ${identity.label}?`}
            action="cfbe_disconnect_identity"
            yes="Disconnect"
          >
            <p>It no longer signs you in, and you are signed out on all other devices.</p>
          </Confirm>
        </div>
      </Card>
    );
  }
  const isBegun = view.done?.action === "cfbe_begin_identity";
  const query = new URLSearchParams({ connect: view.nonce("cfbe_begin_identity") });
  return (
    <Card title={`Account at ${name}`} lead={`Connect it to sign in with ${name}, without a password.`}>
      {isBegun
        ? <a class="button primary" href={view.href(`${OIDC_START}?${query}`)}>Continue with {name}</a>
        : (
          <PostForm view={view} action="cfbe_begin_identity">
            <div class="buttons">
              <button type="submit">Connect account</button>
            </div>
          </PostForm>
        )}
    </Card>
  );
}
