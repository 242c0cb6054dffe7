import type { OpenSession } from "../auth/session.ts";
import { IdentityCard } from "./identity.tsx";
import { passkeysCard } from "./passkeys.tsx";
import { secondFactorCard } from "./second_factor.tsx";
import { definePage } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge, Notice } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";

export const accountPage = definePage({
  path: "/account",
  title: "Your account",
  capability: "view",
  services: ["admin"],
  async render(view) {
    const sessions = (await view.app.admin.sessions.byUser()).get(view.actor.name) ?? [];
    const action = view.done?.action ?? view.posted?.action ?? "";
    const passwords = await view.app.admin.users.acceptPasswords();
    const passkeys = await passkeysCard(view);
    const factor = await secondFactorCard(view);
    // A card in which there is something to do comes first.
    const first = PASSKEY_STEPS.includes(action)
      ? passkeys
      : FACTOR_STEPS.includes(action)
      ? factor
      : action === "cfbe_begin_identity"
      ? <IdentityCard view={view} />
      : null;
    return (
      <>
        {first}
        <Sessions view={view} sessions={sessions} />
        <PasswordCard view={view} passwords={passwords} />
        {action !== "cfbe_begin_identity" && <IdentityCard view={view} />}
        {first !== passkeys && passkeys}
        {first !== factor && factor}
      </>
    );
  },
});

const PASSKEY_STEPS = ["cfbe_begin_passkey", "cfbe_add_passkey"];
const FACTOR_STEPS = ["cfbe_begin_second_factor", "cfbe_enable_second_factor", "cfbe_renew_recovery_codes"];

/** @param passwords whether passwords sign users in */
function PasswordCard({ view, passwords }: { view: View; passwords: boolean }) {
  if (!passwords) {
    return (
      <Card title="Password">
        <Notice kind="plain">Passwords are turned off for all users.</Notice>
      </Card>
    );
  }
  return (
    <Card title="Password" lead="Changing your password signs you out on all other devices.">
      {view.actor.session.user.fixed
        ? (
          <Notice kind="plain">
            Your password is set by CFBE_ADMIN_PASSWORD. Change the variable and restart cfbe.
          </Notice>
        )
        : view.actor.session.user.hasPassword
        ? <PasswordForm view={view} />
        : (
          <Notice kind="plain">
            You have no password. To get one, ask an admin for a new-password link.
          </Notice>
        )}
    </Card>
  );
}

function Sessions({ view, sessions }: { view: View; sessions: OpenSession[] }) {
  return (
    <Card
      title="Where you are signed in"
      lead="A session ends after 8 hours without use, and after 7 days in any case."
      actions={sessions.length > 1 && (
        <Confirm
          view={view}
          id="end-other-sessions"
          button="Sign out everywhere else"
          title="Sign out everywhere else?"
          action="cfbe_end_other_sessions"
          yes="Sign out everywhere else"
        >
          <p>You stay signed in here. Unsaved changes on other devices are lost.</p>
        </Confirm>
      )}
    >
      <Table
        caption="Where you are signed in"
        rows={sessions.toSorted((a, b) => Number(isCurrent(view, b)) - Number(isCurrent(view, a)))}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "Device",
            cell: (session) => (
              <>
                <strong>{session.browser ?? "Unknown browser"}</strong>{" "}
                {isCurrent(view, session) && <Badge kind="good">this one</Badge>}
                {session.network && <div class="about">Network {session.network}</div>}
              </>
            ),
          },
          { title: "Signed in", cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: "Last used", cell: ({ seenAt }) => <Moment at={seenAt} /> },
          { title: "Actions", cell: (session) => <SignOut view={view} session={session} /> },
        ]}
      />
    </Card>
  );
}

const isCurrent = (view: View, { id }: OpenSession) => id === view.actor.session.id;

function SignOut({ view, session }: { view: View; session: OpenSession }) {
  const { id } = session;
  const [action, match] = isCurrent(view, session)
    ? ["cfbe_log_out", {}] as const
    : ["cfbe_end_session", { session: id }] as const;
  return (
    <div class="buttons">
      <PostForm view={view} action={action} match={match} id={`end-${id}`} class="inline">
        <button type="submit">Sign out</button>
      </PostForm>
    </div>
  );
}

function PasswordForm({ view }: { view: View }) {
  return (
    <PostForm view={view} action="cfbe_change_password">
      <TextField
        path="current"
        label="Current password"
        type="password"
        required
        autocomplete="current-password"
      />
      <TextField
        path="password"
        label="New password"
        type="password"
        required
        minLength={10}
        autocomplete="new-password"
        help="At least 10 characters, and not a common password."
      />
      <div class="buttons">
        <button type="submit" class="primary">Change password</button>
      </div>
    </PostForm>
  );
}
