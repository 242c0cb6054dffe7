import { capitalized } from "../../platform/words/capitalized.ts";
import { definePage } from "../frame/page.ts";
import {
  CAPABILITIES,
  type Capability,
  type Role,
  ROLE_CAPABILITIES,
  ROLE_TITLES,
  ROLES,
} from "../auth/capability.ts";
import { Card } from "../parts/card.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import { NewLink, OpenLinks } from "./users_links.tsx";
import { accessOf, UserTable } from "./users_table.tsx";

const ROLE_OPTIONS = Object.entries(ROLE_TITLES).map(([value, label]) => ({ value, label }));

export const usersPage = definePage({
  path: "/users",
  title: "Users",
  lead: "People who can sign in.",
  group: "Settings",
  icon: "users",
  shortcut: "u",
  capability: "team",
  services: ["admin"],
  async render(view) {
    const { users, passwordLinks } = view.app.admin;
    const all = await users.list();
    const [access, links] = view.may("users")
      ? await Promise.all([accessOf(view, all), passwordLinks.list()])
      : [undefined, []];
    return (
      <>
        <NewLink view={view} />
        <UserTable view={view} users={all} access={access} />
        {links.length > 0 && <OpenLinks view={view} links={links} />}
        {view.mayRun("cfbe_invite_user") && <Invite view={view} />}
        <Permissions />
      </>
    );
  },
});

function Invite({ view }: { view: View }) {
  return (
    <Card
      title="Invite user"
      lead="Creates a link to send to them. They choose their own password with it, within 72 hours."
    >
      <PostForm view={view} action="cfbe_invite_user" current={{ role: "viewer" }}>
        <TextField
          path="name"
          label="Name"
          required
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          help="They sign in with this name, for example: grace."
        />
        <SelectField path="role" label="Role" options={ROLE_OPTIONS} />
        <div class="buttons">
          <button type="submit" class="primary">Create invitation</button>
        </div>
      </PostForm>
    </Card>
  );
}

function Permissions() {
  return (
    <Card title="Permissions">
      <Table
        caption="Permissions"
        rows={Object.keys(CAPABILITIES) as Capability[]}
        keyOf={(capability) => capability}
        columns={[
          { title: "Permission", cell: (capability) => CAPABILITIES[capability] },
          ...ROLES.map((role) => ({
            title: capitalized(role),
            cell: (capability: Capability) => <Allowed role={role} capability={capability} />,
          })),
        ]}
      />
    </Card>
  );
}

function Allowed({ role, capability }: { role: Role; capability: Capability }) {
  return ROLE_CAPABILITIES[role].includes(capability) ? <Badge kind="good">yes</Badge> : <>no</>;
}
