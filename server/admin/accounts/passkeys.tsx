import { NO_PASSKEYS } from "../auth/passkeys/relying_party.ts";
import type { Passkey } from "../auth/passkeys/store.ts";
import { browserName } from "../auth/browser_name.ts";
import type { View } from "../frame/view.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge, Notice } from "../parts/notice.tsx";
import { PasskeyButton, WithoutPasskeys } from "../parts/passkey_button.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Table } from "../parts/table.tsx";

type AccountView = View<"admin">;

/** The passkeys of the own account, and the form that creates one. */
export async function passkeysCard(view: AccountView) {
  const { passkeys } = view.app.admin;
  const { user, id } = view.actor.session;
  const own = await passkeys.of(user);
  const options = isAdding(view) ? await passkeys.optionsToAdd(user, id) : undefined;
  return (
    <Card
      title="Passkeys"
      lead="Sign in with the fingerprint, face or PIN of a device, or with a security key. A passkey can't be guessed or given to a forged page, and replaces password and code."
    >
      {own.length > 0 && <PasskeyTable view={view} passkeys={own} />}
      {passkeys.site === undefined
        ? <Notice kind="plain">{NO_PASSKEYS}</Notice>
        : options
        ? <Creating view={view} options={options} />
        : <Begin view={view} />}
    </Card>
  );
}

/** Returns whether a passkey was begun; one that was not accepted can be created again. */
const isAdding = ({ done, posted }: AccountView) =>
  done?.action === "cfbe_begin_passkey" || posted?.action === "cfbe_add_passkey";

function Begin({ view }: { view: AccountView }) {
  return (
    <PostForm view={view} action="cfbe_begin_passkey">
      <div class="buttons">
        <button type="submit">Add passkey</button>
      </div>
    </PostForm>
  );
}

function Creating({ view, options }: { view: AccountView; options: object }) {
  const suggested = browserName(view.request.headers.get("user-agent") ?? "");
  return (
    <PostForm view={view} action="cfbe_add_passkey">
      <TextField
        path="title"
        label="Name of the passkey"
        required
        maxLength={60}
        autocomplete="off"
        suggested={suggested}
        help="Where the passkey is kept, for example: Work laptop."
      />
      <div class="buttons">
        <PasskeyButton use="create" field="answer" label="Create passkey" primary options={options} />
        <a href={view.href("/account")}>Cancel</a>
      </div>
      <WithoutPasskeys />
    </PostForm>
  );
}

function PasskeyTable({ view, passkeys }: { view: AccountView; passkeys: Passkey[] }) {
  return (
    <Table
      caption="Passkeys"
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "Name",
          cell: (passkey) => (
            <>
              <strong>{passkey.title}</strong>
              <div class="about">{whereKept(passkey)}</div>
            </>
          ),
        },
        { title: "Added", cell: ({ createdAt }) => <Moment at={createdAt} /> },
        {
          title: "Last used",
          cell: ({ lastUsedAt }) => lastUsedAt === undefined ? "never" : <Moment at={lastUsedAt} />,
        },
        { title: "Actions", cell: (passkey) => <Actions view={view} passkey={passkey} /> },
      ]}
    />
  );
}

/** Says where a passkey can be used. */
function whereKept({ usable, site, synced, backedUp }: Passkey) {
  if (!usable) return <Badge kind="warn">only for {site}</Badge>;
  if (!synced) return "Only on this device or key";
  return backedUp ? "Synced between devices" : "Not synced yet";
}

function Actions({ view, passkey: { id, title } }: { view: AccountView; passkey: Passkey }) {
  return (
    <div class="buttons">
      <Confirm
        view={view}
        id={`rename-passkey-${id}`}
        button="Rename"
        title={`Rename ${title}`}
        action="cfbe_rename_passkey"
        match={{ passkey: id }}
        current={{ title }}
        yes="Rename"
        danger={false}
        focus={false}
      >
        <TextField path="title" label="Name" required maxLength={60} autocomplete="off" />
      </Confirm>
      <Confirm
        view={view}
        id={`remove-passkey-${id}`}
        button="Remove"
        title={`Remove ${title}?`}
        action="cfbe_remove_passkey"
        match={{ passkey: id }}
        yes="Remove passkey"
      >
        <p>
          It no longer signs you in, and you are signed out on all other devices. Delete it on the device,
          too.
        </p>
      </Confirm>
    </div>
  );
}
