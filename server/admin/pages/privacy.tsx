import { TAB_TITLES } from "../../settings/tabs.ts";
import type { Page } from "../page.ts";
import { visitorIp } from "../../http/visitor/visitor_ip.ts";
import type { Settings } from "../../settings/schema.ts";
import { Card } from "../parts/card.tsx";
import { AreaField, NumberField, type Option, SelectField } from "../parts/field.tsx";
import { SettingsForm } from "../parts/form.tsx";
import { Badge, Notice } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../view.ts";

type Source = Settings["privacy"]["ipSource"];

const SOURCES: (Option & { value: Source })[] = [
  { value: "default", label: "The connection itself" },
  { value: "cf-connecting-ip", label: "CF-Connecting-IP (Cloudflare)" },
  { value: "x-forwarded-for", label: "X-Forwarded-For (a proxy or load balancer)" },
  { value: "x-real-ip", label: "X-Real-IP (a proxy)" },
];

export const privacyPage: Page = {
  path: "/privacy",
  title: TAB_TITLES.privacy,
  lead: "Where a visitor's IP address comes from, and how long personal data is kept.",
  group: "Set up",
  capability: "view",
  render(view) {
    return (
      <SettingsForm view={view} tab="privacy">
        <Card title="Visitor IP address" lead="The limits count by it, and it is kept as proof of consent.">
          <SelectField path="fields.ipSource" label="Taken from" options={SOURCES} />
          <NumberField
            path="fields.trustedHops"
            label="Proxies in front"
            min={1}
            max={20}
            help="With X-Forwarded-For: the entry that many from its end counts."
          />
          <AreaField
            path="fields.trustedProxies"
            label="Trusted proxies"
            list
            placeholder="10.0.0.0/8"
            help={
              <>
                One IP or range per line, such as <code>203.0.113.7</code> or{" "}
                <code>10.0.0.0/8</code>. The header counts only on connections from these. The default is this
                machine and private networks. Behind Cloudflare without a proxy of your own, add{" "}
                <a href="https://www.cloudflare.com/ips/" rel="noreferrer">Cloudflare's ranges</a>.
              </>
            }
          />
          <Notice kind="warn">
            Choose a header only if your own proxy sets it on every request. Otherwise any visitor can write
            it, and get around every limit.
          </Notice>
          <Seen view={view} />
        </Card>
        <Card title="How long">
          <NumberField
            path="fields.ipRetentionDays"
            label="IP addresses are blanked after"
            unit="days"
            min={1}
            max={3650}
            help="What else is in the record of consent stays."
          />
          <NumberField
            path="fields.unconfirmedRetentionDays"
            label="Unconfirmed signups are deleted after"
            unit="days"
            min={0}
            max={3650}
            help="Counted from the day that a signup expired (30 days after it was made) or failed. 0 keeps them."
          />
        </Card>
      </SettingsForm>
    );
  },
};

/** What each choice would make of the very request that this page answers. */
function Seen({ view }: { view: View }) {
  const { privacy } = view.app.settings.current();
  const { peer, headers } = view.request;
  return (
    <div>
      <h3>What the server sees of you right now</h3>
      <Table
        caption="Your address by each choice"
        rows={SOURCES}
        keyOf={({ value }) => value}
        columns={[
          {
            title: "Taken from",
            cell: ({ value, label }) => (
              <>{label} {value === privacy.ipSource && <Badge kind="good">saved</Badge>}</>
            ),
          },
          {
            title: "Header",
            cell: ({ value }) =>
              value === "default" ? "" : <code>{headers.get(value)?.slice(0, 200) ?? "not sent"}</code>,
          },
          {
            title: "You would be",
            cell: ({ value }) => <code>{visitorIp(peer, headers, { ...privacy, ipSource: value })}</code>,
          },
        ]}
      />
      <p class="help">
        The right one shows your own address as the internet sees it. If all show the same, nothing stands in
        front of this service, and the connection itself is right.
      </p>
    </div>
  );
}
