import { ROLES } from "../auth/capability.ts";
import type { OpenSession } from "../auth/session.ts";
import type { User } from "../auth/users.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";

/** The users. @param sessions by user name; undefined if the viewer of the page may not manage users */
export function UserTable(
  { view, users, sessions, withFactor }: {
    view: View;
    users: User[];
    sessions: Map<string, OpenSession[]> | undefined;
    withFactor: ReadonlySet<string>;
  },
) {
  const sessionsOf = ({ name }: User) => sessions?.get(name)?.length ?? 0;
  return (
    <Card title="Users">
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
          ...(sessions
            ? [
              { title: "Sessions", cell: sessionsOf },
              { title: "Second factor", cell: ({ name }: User) => withFactor.has(name) ? "on" : "off" },
            ]
            : []),
          ...(view.may("users")
            ? [{
              title: "Actions",
              cell: (user: User) => (
                <Actions
                  view={view}
                  user={user}
                  sessions={sessionsOf(user)}
                  hasFactor={withFactor.has(user.name)}
                />
              ),
            }]
            : []),
        ]}
      />
    </Card>
  );
}

function addedOf({ fixed, createdAt }: User) {
  return fixed ? "Set by CFBE_ADMIN_PASSWORD" : createdAt === undefined ? "" : <Moment at={createdAt} />;
}

function Actions(
  { view, user, sessions, hasFactor }: { view: View; user: User; sessions: number; hasFactor: boolean },
) {
  const { name, fixed } = user;
  const other = name !== view.actor.name;
  return (
    <div class="buttons">
      {fixed
        ? <span class="help">To change the password, change the variable and restart cfbe.</span>
        : <Changes view={view} user={user} />}
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
            Their password alone then signs them in. Do this only if {name}{" "}
            asked for it, in a way that you know them by.
          </p>
        </Confirm>
      )}
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
        </Confirm>
      )}
    </div>
  );
}

function Changes({ view, user: { name, role } }: { view: View; user: User }) {
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
          <button type="submit">New-password link</button>
        </PostForm>
      )}
    </>
  );
}
