import { ROLES } from "../auth/capability.ts";
import type { Passkey } from "../auth/passkeys/store.ts";
import type { User } from "../auth/users.ts";
import { atRemoval, createdBy, tokenNames } from "../../platform/tokens/created_by.ts";
import type { ListedToken } from "../../platform/tokens/store.ts";
import { counted } from "../../platform/words/counted.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { SelectField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import { resetTitle } from "./users_links.tsx";

type UsersView = View<"admin" | "apiTokens">;

/** How a user signs in and what else gives them access, for those who manage users. */
interface Access {
  sessions: number;
  hasFactor: boolean;
  passkeys: Passkey[];
  /** What they have created and still works. */
  tokens: ListedToken[];
}

/** Reads the access of each user. */
export async function accessOf(view: UsersView, users: User[]): Promise<Map<string, Access>> {
  const { sessions, secondFactors, passkeys } = view.app.admin;
  const [open, withFactor, keys, tokens] = await Promise.all([
    sessions.byUser(),
    secondFactors.among(users.map(({ name }) => name)),
    Promise.all(users.map(passkeys.of)),
    view.app.apiTokens.list(),
  ]);
  return new Map(users.map(({ name }, index) => [name, {
    sessions: open.get(name)?.length ?? 0,
    hasFactor: withFactor.has(name),
    passkeys: keys[index]!,
    tokens: createdBy(tokens, name),
  }]));
}

/**
 * The users.
 *
 * @param access by user name; undefined if the viewer of the page may not manage users
 * @param accepts whether passwords sign users in
 */
export function UserTable(
  { view, users, access, accepts }: {
    view: UsersView;
    users: User[];
    access: Map<string, Access> | undefined;
    accepts: boolean;
  },
) {
  const { oidc } = view.app.config;
  return (
    <Card
      title="Users"
      lead={oidc && oidc.roles.length > 0 &&
        `With some groups at ${oidc.name}, users get their role from these at each sign-in there.`}
    >
      <Table
        caption="Users"
        rows={users}
        keyOf={(user) => user.name}
        columns={[
          { title: "Name", cell: ({ name }) => <strong class="whole">{name}</strong> },
          {
            title: "Role",
            cell: ({ role }) => <Badge kind={role === "admin" ? "good" : "plain"}>{role}</Badge>,
          },
          { title: "Added", cell: addedOf },
          ...(access
            ? [
              { title: "Sessions", cell: ({ name }: User) => access.get(name)!.sessions },
              {
                title: "Signs in with",
                cell: (user: User) => waysOf(view, user, access.get(user.name)!),
              },
              {
                title: "Actions",
                cell: (user: User) => (
                  <Actions view={view} user={user} access={access.get(user.name)!} accepts={accepts} />
                ),
              },
            ]
            : []),
        ]}
      />
    </Card>
  );
}

function waysOf(view: UsersView, { hasPassword, identity }: User, { hasFactor, passkeys }: Access) {
  const { oidc, waysIn } = view.app.admin;
  const usable = passkeys.filter((each) => each.usable).length;
  const ways = [
    hasPassword && (hasFactor ? "Password and code" : "Password alone"),
    usable > 0 && counted(usable, "passkey"),
    oidc && identity && waysIn.isConnected(identity) && (
      <>
        {oidc.name} <span class="about whole">{identity.label}</span>
      </>
    ),
  ].filter(Boolean);
  return ways.length === 0 ? "nothing" : ways.map((way, index) => <div key={index}>{way}</div>);
}

function addedOf({ fixed, createdAt }: User) {
  return fixed ? "Set by CFBE_ADMIN_PASSWORD" : createdAt === undefined ? "" : <Moment at={createdAt} />;
}

function Actions(
  { view, user, access: { sessions, hasFactor, passkeys, tokens }, accepts }: {
    view: View;
    user: User;
    access: Access;
    accepts: boolean;
  },
) {
  const { name, fixed } = user;
  const other = name !== view.actor.name;
  return (
    <div class="buttons">
      {fixed
        ? <span class="help">To change the password, change the variable and restart cfbe.</span>
        : <Changes view={view} user={user} accepts={accepts} />}
      {other && sessions > 0 && (
        <Confirm
          view={view}
          id={`sign-out-${name}`}
          button="Sign out"
          title={`Sign ${name} out everywhere?`}
          action="cfbe_sign_out_user"
          match={{ name }}
          yes="Sign out everywhere"
        >
          <p>Unsaved changes on {name}'s devices are lost. They can sign in again.</p>
        </Confirm>
      )}
      {other && hasFactor && (
        <Confirm
          view={view}
          id={`remove-second-factor-${name}`}
          button="Remove second factor"
          title={`Remove the second factor of ${name}?`}
          action="cfbe_remove_second_factor"
          match={{ name }}
          yes="Remove second factor"
        >
          <p>
            They then sign in without a code. Do this only if {name}{" "}
            asked for it, in a way that you know them by.
          </p>
        </Confirm>
      )}
      {other && passkeys.length > 0 && <RemovePasskey view={view} name={name} passkeys={passkeys} />}
      {other && !fixed && (
        <Confirm
          view={view}
          id={`remove-${name}`}
          button="Remove"
          title={`Remove ${name}?`}
          action="cfbe_remove_user"
          match={{ name }}
          yes="Remove"
        >
          <p>
            They are signed out immediately, and links they have created stop working. Their actions stay in
            the audit log.
          </p>
          <TokensOf view={view} tokens={tokens} />
        </Confirm>
      )}
    </div>
  );
}

/** What becomes of the tokens of a user who is removed. */
function TokensOf({ view, tokens }: { view: View; tokens: ListedToken[] }) {
  const { revoked, kept } = atRemoval(tokens);
  return (
    <>
      {revoked.length > 0 && (
        <p>
          API tokens that they created with the scope <code>admin</code>{" "}
          are revoked, and what uses them stops working: <strong>{tokenNames(revoked)}</strong>.
        </p>
      )}
      {kept.length > 0 && (
        <p>
          {revoked.length > 0 ? "Others" : "API tokens that they created"} keep working:{" "}
          <strong>{tokenNames(kept)}</strong>. Revoke them on the page{" "}
          <a href={view.href("/tokens")}>API tokens</a> if they may have kept a copy.
        </p>
      )}
    </>
  );
}

function RemovePasskey(
  { view, name, passkeys }: { view: View; name: string; passkeys: Passkey[] },
) {
  const options = passkeys.map(({ id, title, usable, site }) => ({
    value: id,
    label: usable ? title : `${title} (only for ${site})`,
  }));
  return (
    <Confirm
      view={view}
      id={`remove-passkey-${name}`}
      button="Remove passkey"
      title={`Remove a passkey of ${name}?`}
      action="cfbe_remove_user_passkey"
      match={{ name }}
      current={{ passkey: options[0]!.value }}
      yes="Remove passkey"
    >
      <SelectField path="passkey" label="Passkey" options={options} />
      <p>It no longer signs {name} in, and they are signed out on all devices.</p>
    </Confirm>
  );
}

function Changes(
  { view, user: { name, role }, accepts }: { view: View; user: User; accepts: boolean },
) {
  return (
    <>
      <PostForm view={view} action="cfbe_set_role" match={{ name }} id={`role-${name}`} class="inline">
        <label class="hidden" for={`role-of-${name}`}>Role of {name}</label>
        <select id={`role-of-${name}`} name="role">
          {ROLES.map((each) => <option key={each} selected={each === role}>{each}</option>)}
        </select>{" "}
        <button type="submit">Change role</button>
      </PostForm>
      {name !== view.actor.name && (
        <PostForm
          view={view}
          action="cfbe_reset_password"
          match={{ name }}
          id={`reset-${name}`}
          class="inline"
        >
          <button type="submit">{resetTitle(accepts)}</button>
        </PostForm>
      )}
    </>
  );
}
