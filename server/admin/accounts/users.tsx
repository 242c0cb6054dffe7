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
import { Passwords, waysWithout } from "./passwords.tsx";
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
  services: ["admin", "apiTokens"],
  async render(view) {
    const { users, passwordLinks, waysIn } = view.app.admin;
    const [all, accepts] = await Promise.all([users.list(), users.acceptPasswords()]);
    const [access, links] = view.may("users")
      ? await Promise.all([accessOf(view, all), passwordLinks.list()])
      : [undefined, []];
    const left = all.filter(({ name, identity }) =>
      !waysIn.hasAnotherWay(identity, access?.get(name)?.passkeys ?? [])
    );
    return (
      <>
        <NewLink view={view} accepts={accepts} />
        <UserTable view={view} users={all} access={access} accepts={accepts} />
        {links.length > 0 && <OpenLinks view={view} links={links} accepts={accepts} />}
        {view.mayRun("cfbe_invite_user") && <Invite view={view} accepts={accepts} />}
        {view.mayRun("cfbe_enable_passwords") && <Passwords view={view} left={left} accepts={accepts} />}
        <Permissions />
      </>
    );
  },
});

/** @param accepts whether passwords sign users in */
function Invite({ view, accepts }: { view: View<"admin">; accepts: boolean }) {
  return (
    <Card
      title="Invite user"
      lead={`Creates a link to send to them. They ${
        accepts ? "choose their own password" : `sign in with ${waysWithout(view.app.admin.oidc)}`
      } with it, within 72 hours.`}
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
