import type { CreatedLink } from "./actions/password_links.ts";
import { ROLE_TITLES } from "../auth/capability.ts";
import type { PasswordLink } from "../auth/password_link.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { CopyField } from "../parts/copy_field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";

/** Returns what a link for an existing user is called. @param accepts whether passwords sign users in */
export const resetTitle = (accepts: boolean): string => accepts ? "New-password link" : "Sign-in link";

/** The link that was just created. It cannot be shown again. */
export function NewLink({ view, accepts }: { view: View; accepts: boolean }) {
  const action = view.done?.action;
  if (action !== "cfbe_invite_user" && action !== "cfbe_reset_password") return null;
  const { name, link, expiresAt } = view.done!.data as CreatedLink;
  const title = action === "cfbe_invite_user"
    ? `Invitation for ${name}`
    : `${resetTitle(accepts)} for ${name}`;
  return (
    <Card title={title} lead="Send the link in a private message. It is shown only now.">
      <CopyField
        id="new-link"
        label="Link"
        help={
          <>
            Works once, until <Moment at={expiresAt} />.
          </>
        }
        value={link}
      />
    </Card>
  );
}

/** The links that can still be used. */
export function OpenLinks(
  { view, links, accepts }: { view: View; links: PasswordLink[]; accepts: boolean },
) {
  return (
    <Card title="Open links" lead="Each works once. If one got lost, create a new one, which replaces it.">
      <Table
        caption="Open links"
        rows={links}
        keyOf={({ name }) =>
          name}
        columns={[
          { title: "Name", cell: ({ name }) => <strong class="whole">{name}</strong> },
          {
            title: "For",
            cell: ({ kind, role, by }) => (
              <>
                {kind === "invitation"
                  ? `Invitation as ${ROLE_TITLES[role]}`
                  : accepts
                  ? "New password"
                  : "Sign-in"}
                <div class="about">Created by {by}</div>
              </>
            ),
          },
          { title: "Valid until", cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
          { title: "Actions", cell: (link) => <LinkActions view={view} link={link} /> },
        ]}
      />
    </Card>
  );
}

function LinkActions({ view, link: { kind, name, role } }: { view: View; link: PasswordLink }) {
  const [action, match] = kind === "invitation"
    ? ["cfbe_invite_user", { name, role }] as const
    : ["cfbe_reset_password", { name }] as const;
  return (
    <div class="buttons">
      <PostForm view={view} action={action} match={match} id={`renew-${name}`} class="inline">
        <button type="submit">New link</button>
      </PostForm>
      <Confirm
        view={view}
        id={`revoke-${name}`}
        button="Revoke"
        title={`Revoke the link for ${name}?`}
        action="cfbe_revoke_link"
        match={{ name }}
        yes="Revoke link"
        no="Keep link"
      >
        <p>The link stops working immediately.</p>
      </Confirm>
    </div>
  );
}
