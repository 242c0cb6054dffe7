import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { keys } from "./keys.ts";
import type { KvKey } from "./port.ts";

/** Every shape with the positions of its arguments. Earlier versions wrote rows under exactly these keys. */
const SHAPES: Record<keyof typeof keys, string> = {
  purgeDue: "purge_due",
  activation: "activation",
  job: "job $1",
  due: "due $1 $2",
  dueAll: "due",
  dead: "dead $1 $2",
  deadAll: "dead",
  deadFrom: "dead $1",
  parked: "parked $1 $2",
  parkedAll: "parked",
  slot: "slot $1",
  all: "",
  family: "$1",
  image: "image $1 $2",
  imageAll: "image",
  restoring: "restoring",
  restored: "restored",
  move: "move",
  moveChange: "move_change $1 $2",
  moveChangeAll: "move_change",
  moveProgress: "move_progress",
  doctor: "doctor",
  process: "process $1",
  processAll: "process",
  salts: "salts",
  backupLog: "backup_log",
  alerts: "alerts",
  alertPast: "alert_past $1 $2",
  alertPastAll: "alert_past",
  alertPastUntil: "alert_past $1",
  alertOutbox: "alert_outbox $1 $2",
  alertOutboxAll: "alert_outbox",
  adminUsers: "admin_users",
  adminSecondFactor: "admin_second_factor $1",
  adminPasskeys: "admin_passkeys $1",
  adminPasskeysAll: "admin_passkeys",
  adminUsedChallenge: "admin_used_challenge $1",
  adminSession: "admin_session $1",
  adminSessionAll: "admin_session",
  apiTokens: "api_tokens",
  apiTokenUse: "api_token_use $1",
  audit: "audit $1 $2",
  auditAt: "audit $1",
  auditAll: "audit",
  auditHead: "audit_head",
  auditIp: "audit_ip $1 $2",
  auditIpAll: "audit_ip",
  auditIpUntil: "audit_ip $1",
  settings: "settings $1",
  settingsPart: "settings part $1 $2 $3",
  formDraft: "settings draft $1",
  popupDraft: "settings popup_draft",
  formDraftAll: "settings draft",
  formVersion: "form_version $1 $2 $3",
  formVersionsOf: "form_version $1",
  formVersionsUntil: "form_version $1 $2",
  formVersionAll: "form_version",
  log: "log $1 $2",
  attack: "attack",
  solved: "solved $1",
  signup: "signup $1 $2",
  signupsOf: "signup $1",
  changed: "changed",
  consent: "consent $1 $2 $3 $4",
  consentsOfAddress: "consent $1",
  consentsOf: "consent $1 $2",
  consentByTime: "consent_by_time $1 $2 $3 $4",
  consentByTimeAll: "consent_by_time",
  consentByTimeUntil: "consent_by_time $1",
  consentText: "consent_text $1",
  byStatus: "by_status $1 $2 $3 $4",
  byStatusAll: "by_status $1",
  byStatusOn: "by_status $1 $2",
  subscriberBy: "subscriber $1 $2 $3 $4 $5",
  subscribersBy: "subscriber $1 $2",
  bulkRun: "bulk_run",
  migration: "migration",
  migrated: "migrated $1",
  marker: "mark $1 $2",
  markerAll: "mark $1",
  tombstone: "tombstone $1",
  cart: "cart $1",
  cartByTime: "cart_by_time $1 $2",
  cartByTimeAll: "cart_by_time",
  cartBytes: "cart_bytes",
  cartOf: "cart_of $1 $2",
  cartsOf: "cart_of $1",
  cartByTimeUntil: "cart_by_time $1",
  orderOwner: "order_owner $1",
  ledger: "ledger $1 $2",
  ledgerOf: "ledger $1",
  pollCursor: "poll $1",
  webhookCalls: "hook_calls",
  refusedOrigins: "refused_origins",
  shopCheck: "shop_check",
  siteGrant: "site_grant $1",
  siteUse: "site_use $1",
  sites: "sites",
  skippedRows: "skipped_rows $1",
  skippedRowsAll: "skipped_rows",
  pollCursorOf: "poll $1 $2",
  pollPositionOf: "poll_position $1 $2",
  counters: "books $1 $2 $3",
  countersFrom: "books $1",
  countersEnd: "books Infinity",
  countersDay: "books_day $1 $2 $3",
  countersDayFrom: "books_day $1",
  countersSummary: "books_summary $1",
  pageCounts: "page_counts $1 $2 $3",
  pageCountsFrom: "page_counts $1",
  pageCountsSummary: "page_counts_summary $1",
  experimentCounts: "experiment_counts $1 $2 $3",
  experimentCountsFrom: "experiment_counts $1",
  experimentCountsSummary: "experiment_counts_summary $1",
  providerCheck: "provider_check $1 $2",
  flushed: "flushed $1",
  providerHealth: "provider_health",
  providerPauses: "provider_pauses",
  providerHistory: "provider_history",
  listsSource: "lists_source",
  sandboxProject: "sandbox project",
  sandboxList: "sandbox list $1",
  sandboxLists: "sandbox list",
  sandboxSubscriber: "sandbox subscriber $1 $2",
  sandboxSubscribers: "sandbox subscriber $1",
  sandboxContact: "sandbox contact $1",
  sandboxContacts: "sandbox contact",
  sandboxField: "sandbox field $1",
  sandboxFields: "sandbox field",
  sandboxMail: "sandbox mail $1 $2",
  sandboxMails: "sandbox mail",
  sandboxMailTo: "sandbox mail_to $1 $2 $3",
  sandboxMailsTo: "sandbox mail_to $1",
  sandboxLink: "sandbox link $1",
  sandboxWebhook: "sandbox webhook",
  sandboxFaults: "sandbox faults",
  sandboxDelivery: "sandbox delivery $1 $2",
  sandboxDeliveries: "sandbox delivery",
};

Deno.test("no key changes its shape, so that rows of earlier versions stay readable", () => {
  const shapes = Object.entries(keys).map(([name, build]) => {
    const shape: (...args: never[]) => KvKey = build;
    const args = Array.from({ length: shape.length }, (_, i) => `$${i + 1}` as never);
    const [s, site, ...parts] = shape(...args);
    assert.deepEqual([s, site], ["s", "main"], name);
    return [name, parts.map(String).join(" ")];
  });
  assert.deepEqual(Object.fromEntries(shapes), SHAPES);
});

function sourcesIn(folder: URL): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return name === "testing" ? [] : sourcesIn(new URL(`${name}/`, folder));
    return /\.tsx?$/.test(name) && !/_test\.|conformance\.ts$/.test(name)
      ? [fileURLToPath(new URL(name, folder))]
      : [];
  });
}

Deno.test("each key shape gets its row type in only one place", () => {
  const sources = sourcesIn(new URL("../../", import.meta.url)).map((path) => Deno.readTextFileSync(path))
    .filter((text) => /import \{[^}]*\btyped\b[^}]*\} from "[^"]*kv\/key\.ts"/.test(text));
  // Lines that start with a star are comments.
  const typings = sources.flatMap((text) =>
    text.replaceAll(/^ *\*.*$/gm, "").matchAll(/\btyped(?:<[^>]*>)?\(([^)]*)/g).map(([, shape]) => shape!)
      .toArray()
  );
  // Markers of several kinds share a shape; the first argument, such as "coupon", distinguishes them.
  const shapes = typings.map((shape) =>
    /^keys\.marker\(("\w+"|`\w+|what)/.exec(shape)?.[0] ?? /^keys\.\w+/.exec(shape)?.[0] ?? shape
  );
  assert.ok(shapes.length > 30, `${shapes.length}`);
  assert.deepEqual(shapes.filter((shape) => !shape.startsWith("keys.")), []);
  assert.deepEqual(shapes.filter((shape, i) => shapes.indexOf(shape) !== i), []);
});
