import type { Page } from "../page.ts";
import { CAPABILITIES, type Capability, type Role, ROLE_CAPABILITIES, ROLES } from "../auth/capability.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { type Option, SelectField, TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge } from "../parts/notice.tsx";
import { Moment, Table } from "../parts/table.tsx";
import type { User } from "../auth/users.ts";
import type { View } from "../view.ts";

const ROLE_OPTIONS: Option[] = [
  { value: "viewer", label: "Viewer: read-only" },
  { value: "analyst", label: "Analyst: read-only, without personal data" },
  { value: "admin", label: "Admin: full access" },
];

export const usersPage: Page = {
  path: "/users",
  title: "Users",
  lead: "People who can sign in.",
  group: "Settings",
  icon: "users",
  shortcut: "u",
  capability: "view",
  async render(view) {
    const users = await view.app.admin.users.list();
    const sessions = view.may("users") ? await view.app.admin.sessions.byUser() : undefined;
    const sessionsOf = ({ name }: User) => sessions?.get(name)?.length ?? 0;
    return (
      <>
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
              ...(sessions ? [{ title: "Sessions", number: true, cell: sessionsOf }] : []),
              {
                title: "Actions",
                cell: (user) => <Actions view={view} user={user} sessions={sessionsOf(user)} />,
              },
            ]}
          />
        </Card>
        <Card
          title="Add user"
          lead="Share the password with them yourself. They can change it after signing in."
        >
          <PostForm view={view} action="cfbe_add_user" current={{ role: "viewer" }}>
            <TextField
              path="name"
              label="Name"
              required
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
            />
            <TextField
              path="password"
              label="Password"
              type="password"
              required
              minLength={10}
              autocomplete="new-password"
              help="At least 10 characters."
            />
            <SelectField path="role" label="Role" options={ROLE_OPTIONS} />
            <div class="buttons">
              <button type="submit" class="primary">Add user</button>
            </div>
          </PostForm>
        </Card>
        <Card title="Permissions">
          <Table
            caption="Permissions"
            rows={Object.keys(CAPABILITIES) as Capability[]}
            keyOf={(capability) => capability}
            columns={[
              { title: "Permission", cell: (capability) => CAPABILITIES[capability] },
              { title: "Admin", cell: (capability) => <Allowed role="admin" capability={capability} /> },
              { title: "Viewer", cell: (capability) => <Allowed role="viewer" capability={capability} /> },
              { title: "Analyst", cell: (capability) => <Allowed role="analyst" capability={capability} /> },
            ]}
          />
        </Card>
      </>
    );
  },
};

function Allowed({ role, capability }: { role: Role; capability: Capability }) {
  return ROLE_CAPABILITIES[role].includes(capability) ? <Badge kind="good">yes</Badge> : <>no</>;
}

function addedOf({ fixed, createdAt }: User) {
  return fixed ? "Set by CFBE_ADMIN_PASSWORD" : createdAt === undefined ? "" : <Moment at={createdAt} />;
}

function Actions({ view, user, sessions }: { view: View; user: User; sessions: number }) {
  const { name, role, fixed } = user;
  return (
    <div class="buttons">
      {fixed && <span class="help">To change the password, change the variable and restart cfbe.</span>}
      {sessions > 0 && name !== view.actor.name && (
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
      {!fixed && ROLES.filter((each) => each !== role).map((other) => (
        <PostForm
          key={other}
          view={view}
          action="cfbe_set_role"
          match={{ name, role: other }}
          id={`role-${name}-${other}`}
          class="inline"
        >
          <button type="submit">Make {other}</button>
        </PostForm>
      ))}
      {!fixed && name !== view.actor.name && (
        <Confirm
          view={view}
          id={`remove-${name}`}
          button="Remove"
          title={`Remove ${name}?`}
          action="cfbe_remove_user"
          match={{ name }}
          yes="Remove"
        >
          <p>They are signed out immediately. Their actions stay in the audit log.</p>
        </Confirm>
      )}
    </div>
  );
}
