import type { Page } from "../page.ts";
import { CAPABILITIES } from "../auth/capability.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { type Option, SelectField, TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge } from "../parts/notice.tsx";
import { Moment, Table } from "../parts/table.tsx";
import type { User } from "../auth/users.ts";
import type { View } from "../view.ts";

const ROLE_OPTIONS: Option[] = [
  { value: "viewer", label: "Viewer: sees every page, changes nothing" },
  { value: "admin", label: "Admin: may do everything" },
];

export const usersPage: Page = {
  path: "/users",
  title: "Users",
  lead: "Who may sign in here.",
  group: "Set up",
  capability: "view",
  async render(view) {
    const users = await view.app.admin.users.list();
    return (
      <>
        <Card title="People">
          <Table
            caption="Users"
            rows={users}
            keyOf={(user) => user.name}
            columns={[
              { title: "Name", cell: ({ name }) => <strong>{name}</strong> },
              {
                title: "Role",
                cell: ({ role }) => <Badge kind={role === "admin" ? "good" : "plain"}>{role}</Badge>,
              },
              { title: "Since", cell: sinceOf },
              { title: "Change", cell: (user) => <Changes view={view} user={user} /> },
            ]}
          />
        </Card>
        <Card
          title="Add somebody"
          lead="Give them the password yourself; they can change it once they are in."
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
              help="10 characters or more."
            />
            <SelectField path="role" label="Role" options={ROLE_OPTIONS} />
            <div class="buttons">
              <button type="submit" class="primary">Add</button>
            </div>
          </PostForm>
        </Card>
        <Card title="What a role may do">
          <ul class="plain-list">
            {Object.entries(CAPABILITIES).map(([name, says]) => (
              <li key={name}>
                <code>{name}</code> {says}
                {name === "view" ? ": admins and viewers" : ": admins"}
              </li>
            ))}
          </ul>
        </Card>
      </>
    );
  },
};

function sinceOf({ fixed, createdAt }: User) {
  return fixed ? "Set by CFBE_ADMIN_PASSWORD" : createdAt === undefined ? "" : <Moment at={createdAt} />;
}

function Changes({ view, user }: { view: View; user: User }) {
  if (user.fixed) return <span class="help">Change the variable and start again.</span>;
  const { name, role } = user;
  const other = role === "admin" ? "viewer" : "admin";
  return (
    <div class="buttons">
      <PostForm
        view={view}
        action="cfbe_set_role"
        match={{ name, role: other }}
        id={`role-${name}`}
        class="inline"
      >
        <button type="submit">Make {other}</button>
      </PostForm>
      {name !== view.actor.name && (
        <Confirm
          view={view}
          id={`remove-${name}`}
          button="Remove"
          title={`Remove ${name}?`}
          action="cfbe_remove_user"
          match={{ name }}
          yes="Remove"
        >
          <p>They are signed out at once. What they did stays in the audit log.</p>
        </Confirm>
      )}
    </div>
  );
}
