import type { User } from "../auth/users.ts";
import type { View } from "../frame/view.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Notice } from "../parts/notice.tsx";

type UsersView = View<"admin">;

/** Returns the ways to sign in without a password. */
export const waysWithout = (oidc: { name: string } | undefined): string =>
  oidc ? `a passkey or ${oidc.name}` : "a passkey";

/**
 * Turns passwords off and on, and says first who could not sign in any more.
 *
 * @param left the users without another way to sign in
 * @param accepts whether passwords are on
 */
export function Passwords(
  { view, left, accepts }: { view: UsersView; left: readonly User[]; accepts: boolean },
) {
  const { oidc } = view.app.admin;
  const others = waysWithout(oidc);
  if (!accepts) {
    return (
      <Card title="Passwords" lead={`Passwords are turned off. Users sign in with ${others}.`}>
        <div class="buttons">
          <Confirm
            view={view}
            id="enable-passwords"
            button="Turn on passwords"
            title="Turn on passwords?"
            action="cfbe_enable_passwords"
            yes="Turn on passwords"
            danger={false}
          >
            <p>Users then also sign in with the passwords that they had before.</p>
          </Confirm>
        </div>
      </Card>
    );
  }
  const isLeft = left.some(({ name }) => name === view.actor.name);
  return (
    <Card
      title="Passwords"
      lead={`Turn passwords off if all users are to sign in with ${others}.`}
    >
      {isLeft
        ? (
          <Notice kind="plain">
            You sign in with your password alone. To turn passwords off, add a passkey under{" "}
            <a href={view.href("/account")}>Your account</a>{" "}
            first{oidc && `, or connect your account at ${oidc.name}`}
            .
          </Notice>
        )
        : (
          <div class="buttons">
            <Confirm
              view={view}
              id="disable-passwords"
              button="Turn off passwords"
              title="Turn off passwords?"
              action="cfbe_disable_passwords"
              yes="Turn off passwords"
            >
              <p>
                Nobody can sign in or confirm anything with a password any more, not even with
                CFBE_ADMIN_PASSWORD. You confirm this with {others}.
              </p>
              {left.length > 0 && <Left users={left} />}
            </Confirm>
          </div>
        )}
    </Card>
  );
}

/** Names those who could not sign in any more, with what they need. */
function Left({ users }: { users: readonly User[] }) {
  return (
    <>
      <p>
        These users have no other way to sign in. They stay signed in until their session ends. Then each
        needs a sign-in link, which you create on this page:
      </p>
      <ul>
        {users.map(({ name, fixed }) => (
          <li key={name}>
            <strong>{name}</strong>
            {fixed &&
              ": there is no link for the user of CFBE_ADMIN_PASSWORD, who has to add a passkey before"}
          </li>
        ))}
      </ul>
    </>
  );
}
