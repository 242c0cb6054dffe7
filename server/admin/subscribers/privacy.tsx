import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { definePage } from "../frame/page.ts";
import { visitorIp } from "../../platform/http/visitor/visitor_ip.ts";
import { settingAt, type Settings } from "../../settings/schema/schema.ts";
import { Card } from "../parts/card.tsx";
import { type Option, TextField } from "../parts/field.tsx";
import { PostForm, SettingsForm } from "../parts/form.tsx";
import { Badge, Notice } from "../parts/notice.tsx";
import { optionsOf } from "../parts/declared_input.tsx";
import { Setting } from "../parts/setting.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";

type Source = Settings["privacy"]["ipSource"];

export const privacyPage = definePage({
  path: "/privacy",
  title: TAB_TITLES.privacy,
  lead: "How cfbe determines visitors' IP addresses, and how long it keeps personal data.",
  group: "Settings",
  icon: "privacy",
  shortcut: "i",
  capability: "view",
  render(view) {
    return (
      <>
        <SettingsForm view={view} tab="privacy">
          <Card
            title="Visitor IP address"
            lead="Used for rate limits and stored as part of the proof of consent."
          >
            <Setting of="privacy.ipSource" />
            <Setting of="privacy.trustedHops" />
            <Setting of="privacy.trustedProxies">
              Behind Cloudflare without your own proxy, add{" "}
              <a href="https://www.cloudflare.com/ips/" rel="noreferrer">Cloudflare's ranges</a>.
            </Setting>
            <Notice kind="warn">
              Choose a header only if your own proxy sets it on every request. Otherwise, visitors can forge
              it to bypass rate limits.
            </Notice>
            <YourIp view={view} />
          </Card>
          <Card
            id="attack"
            title="Attack mode"
            lead="Keeps bots from signing up strangers. By default, it begins and ends by itself."
          >
            <Setting of="privacy.attackMode" />
            <Setting of="privacy.attackHold" />
            <Setting of="privacy.attackNetworkSignups" />
            <Setting of="privacy.attackSignups" />
            <Setting of="privacy.attackTokenSignups" />
            <Setting of="privacy.attackCalmMinutes" />
          </Card>
          <Card title="Proof of consent">
            <Setting of="privacy.organization" />
          </Card>
          <Card title="Retention">
            <Setting of="privacy.ipRetentionDays" />
            <Setting of="privacy.unconfirmedRetentionDays" />
          </Card>
        </SettingsForm>
        <TestersLimits view={view} />
      </>
    );
  },
});

/** Makes room in the limits of the user who tests forms. */
function TestersLimits({ view }: { view: View }) {
  if (!view.mayRun("cfbe_forget_limits")) return null;
  return (
    <Card
      id="limits"
      title="Limits while you test"
      lead={
        <>
          “Too many attempts” on your own form? Forget what counts toward the limits of your address, for
          signups, checkout addresses, carts and views of variants.
        </>
      }
    >
      <PostForm view={view} action="cfbe_forget_limits" current={{ ip: view.from.ip, email: "" }}>
        <TextField
          path="ip"
          label="IP address"
          optional
          autocomplete="off"
          help="Yours, as cfbe sees it now. At most 5 signups in 10 minutes are accepted from it."
        />
        <TextField
          path="email"
          label="Email address (optional)"
          type="email"
          optional
          autocomplete="off"
          help="At most 3 signups in an hour are accepted for a mailbox. The limit of 3 confirmation emails in 24 hours stays."
        />
        <div class="buttons">
          <button type="submit">Forget the limits of my address</button>
        </div>
      </PostForm>
    </Card>
  );
}

/** The IP that each source determines for the current request. */
function YourIp({ view }: { view: View }) {
  const { privacy } = view.app.settings.current();
  const { peer, headers } = view.request;
  const sources = optionsOf(settingAt("privacy.ipSource").about.choices!) as (Option & { value: Source })[];
  return (
    <div>
      <h3>Your IP address from each IP source</h3>
      <Table
        caption="Your IP address from each IP source"
        rows={sources}
        keyOf={({ value }) => value}
        columns={[
          {
            title: "IP source",
            cell: ({ value, label }) => (
              <>{label} {value === privacy.ipSource && <Badge kind="good">saved</Badge>}</>
            ),
          },
          {
            title: "Header",
            cell: ({ value }) =>
              value === "default" ? "–" : <code>{headers.get(value)?.slice(0, 200) ?? "not sent"}</code>,
          },
          {
            title: "Your IP would be",
            cell: ({ value }) => <code>{visitorIp(peer, headers, { ...privacy, ipSource: value })}</code>,
          },
        ]}
      />
      <p class="help">
        The correct IP source shows your public IP address. If all rows show the same, there is no proxy in
        front of cfbe, and “Direct connection” is correct.
      </p>
    </div>
  );
}
