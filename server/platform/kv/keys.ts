import type { KvKey } from "./port.ts";
/**
 * The shape of every key in the database. All keys start with `["s", site]`, and every row has a version `v`. Times in
 * keys are Unix milliseconds, so that a prefix is listed from old to new.
 *
 * A shape has no row type: `typed` (`key.ts`) adds it, next to the definition of that type.
 */

/** Always `main` while one service serves one site (decision 4). */
const SITE = ["s", "main"] as const;

export type Shape = KvKey;

export const keys = {
  // jobs/
  /** Exists while deleted personal data may still be in the database's file; see `ops/purge_deleted_job.ts`. */
  purgeDue: (): Shape => [...SITE, "purge_due"],
  /** Whether the service is active; see `jobs/parking.ts`. */
  activation: (): Shape => [...SITE, "activation"],
  job: (id: string): Shape => [...SITE, "job", id],
  /** When a job needs attention next: its due time, or the end of its lease while it runs. */
  due: (at: number, id: string): Shape => [...SITE, "due", at, id],
  dueAll: (): Shape => [...SITE, "due"],
  dead: (at: number, id: string): Shape => [...SITE, "dead", at, id],
  deadAll: (): Shape => [...SITE, "dead"],
  deadFrom: (at: number): Shape => [...SITE, "dead", at],
  /** A job that waits until the service is activated again, by its due time. */
  parked: (at: number, id: string): Shape => [...SITE, "parked", at, id],
  parkedAll: (): Shape => [...SITE, "parked"],
  /** How many rows the latest pass of a job has skipped; see `jobs/pass.ts`. */
  skippedRows: (job: string): Shape => [...SITE, "skipped_rows", job],
  skippedRowsAll: (): Shape => [...SITE, "skipped_rows"],
  /** The last started slot of a recurring job; see `jobs/recurring.ts`. */
  slot: (name: string): Shape => [...SITE, "slot", name],

  // ops/
  all: (): Shape => [...SITE],
  /** All rows of a kind: `family` is the part of the key after the site. */
  family: (family: string): Shape => [...SITE, family],
  /** Exists during a restore: the data is incomplete. */
  restoring: (): Shape => [...SITE, "restoring"],
  /** When the last restore was made; see `signup/delivery/confirmation_marker.ts`. */
  restored: (): Shape => [...SITE, "restored"],
  /** Exists while the database is moved to another one, and after it was; see `kv/gate.ts`. */
  move: (): Shape => [...SITE, "move"],
  /** What a commit has changed during a move: the `n`th one of a process. */
  moveChange: (process: string, n: number): Shape => [...SITE, "move_change", process, n],
  moveChangeAll: (): Shape => [...SITE, "move_change"],
  /** How far the copy has come, in the new database. */
  moveProgress: (): Shape => [...SITE, "move_progress"],
  /** Written and deleted to check that the database accepts writes. */
  doctor: (): Shape => [...SITE, "doctor"],
  /** A process that uses the database; see `operations/database/processes.ts`. */
  process: (id: string): Shape => [...SITE, "process", id],
  processAll: (): Shape => [...SITE, "process"],
  /** Written after changes of cached rows, for processes that watch it; see `kv/engines/watched_changes.ts`. */
  changed: (): Shape => [...SITE, "changed"],
  /** Fingerprints of the salts that the database is used with. */
  salts: (): Shape => [...SITE, "salts"],

  /** When the provider's setup was last tested in the admin, by its name in `general.provider`. */
  providerCheck: (provider: string, check: string): Shape => [...SITE, "provider_check", provider, check],

  /** When backups were made. */
  backupLog: (): Shape => [...SITE, "backup_log"],

  // alerts/
  /** The open alerts, and the latest weekly summary, all in one row. */
  alerts: (): Shape => [...SITE, "alerts"],
  /** Resolved alerts and weekly summaries, oldest first. */
  alertPast: (at: number, id: string): Shape => [...SITE, "alert_past", at, id],
  alertPastAll: (): Shape => [...SITE, "alert_past"],
  alertPastUntil: (at: number): Shape => [...SITE, "alert_past", at],
  /** Notifications that are still to be sent, in order. */
  alertOutbox: (at: number, id: string): Shape => [...SITE, "alert_outbox", at, id],
  alertOutboxAll: (): Shape => [...SITE, "alert_outbox"],

  // admin/
  /** All users in one row, so that rules about all of them need only one check. */
  adminUsers: (): Shape => [...SITE, "admin_users"],
  adminSecondFactor: (name: string): Shape => [...SITE, "admin_second_factor", name],
  adminPasskeys: (name: string): Shape => [...SITE, "admin_passkeys", name],
  adminPasskeysAll: (): Shape => [...SITE, "admin_passkeys"],
  /** Exists once a passkey has answered a challenge, whose SHA-256 it is. */
  adminUsedChallenge: (hash: string): Shape => [...SITE, "admin_used_challenge", hash],
  /** `session` is the SHA-256 of the cookie's value. */
  adminSession: (session: string): Shape => [...SITE, "admin_session", session],
  adminSessionAll: (): Shape => [...SITE, "admin_session"],
  /** All API tokens in one row; see `tokens/row.ts`. */
  apiTokens: (): Shape => [...SITE, "api_tokens"],
  /** When a token was last used. */
  apiTokenUse: (id: string): Shape => [...SITE, "api_token_use", id],
  /** All connected sites in one row; see `tokens/sites/row.ts`. */
  sites: (): Shape => [...SITE, "sites"],
  /** When a site last signed or called something. */
  siteUse: (id: string): Shape => [...SITE, "site_use", id],
  /** What an admin has agreed to, until the site collects it. `code` is the SHA-256 of the code for it. */
  siteGrant: (code: string): Shape => [...SITE, "site_grant", code],
  /** Append-only; contains no address. */
  audit: (at: number, id: string): Shape => [...SITE, "audit", at, id],
  auditAt: (at: number): Shape => [...SITE, "audit", at],
  auditAll: (): Shape => [...SITE, "audit"],
  auditHead: (): Shape => [...SITE, "audit_head"],
  /** The IP of an audit row, stored separately because it is deleted after the retention period and the row is not. */
  auditIp: (at: number, id: string): Shape => [...SITE, "audit_ip", at, id],
  auditIpAll: (): Shape => [...SITE, "audit_ip"],
  auditIpUntil: (at: number): Shape => [...SITE, "audit_ip", at],

  // settings/
  settings: (tab: string): Shape => [...SITE, "settings", tab],
  /** A part of a tab that is too large for one row; see `settings/tab_rows.ts`. */
  settingsPart: (
    tab: string,
    id: string,
    part: number,
  ): Shape => [...SITE, "settings", "part", tab, id, part],
  /** Unpublished changes of a named form. */
  formDraft: (name: string): Shape => [...SITE, "settings", "draft", name],
  /** Those of the popup. */
  popupDraft: (): Shape => [...SITE, "settings", "popup_draft"],
  formDraftAll: (): Shape => [...SITE, "settings", "draft"],
  /** A published version of a form, by when it was published; see `settings/forms/form_history.ts`. */
  formVersion: (name: string, at: number, id: string): Shape => [...SITE, "form_version", name, at, id],
  formVersionsOf: (name: string): Shape => [...SITE, "form_version", name],
  formVersionsUntil: (name: string, at: number): Shape => [...SITE, "form_version", name, at],
  formVersionAll: (): Shape => [...SITE, "form_version"],
  /** The providers chosen so far; see `settings/provider_history.ts`. */
  providerHistory: (): Shape => [...SITE, "provider_history"],
  /** The provider that the known lists were loaded from; see `ops/lists.ts`. */
  listsSource: (): Shape => [...SITE, "lists_source"],

  // images/
  /** A part of an image of a form's design; see `images/rows.ts`. */
  image: (id: string, part: number): Shape => [...SITE, "image", id, part],
  imageAll: (): Shape => [...SITE, "image"],

  // limits/: `subject` is an HMAC, because the log may outlive the record.
  log: (limit: string, subject: string): Shape => [...SITE, "log", limit, subject],

  // attack/
  /** The attack that lasts now; see `attack/attack_mode.ts`. */
  attack: (): Shape => [...SITE, "attack"],
  /** A proof that was used; see `attack/challenge.ts`. */
  solved: (proof: string): Shape => [...SITE, "solved", proof],

  // signup/: a record may contain an address; a row that outlives the record may not.
  signup: (email: string, list: string): Shape => [...SITE, "signup", email, list],
  signupsOf: (email: string): Shape => [...SITE, "signup", email],
  /**
   * What the visitor saw and did, one row per signup. Never changed, except to delete the IP. The row of a new record is
   * written a moment later; see `readConsents`.
   */
  consent: (email: string, list: string, at: number, id: string): Shape => [
    ...SITE,
    "consent",
    email,
    list,
    at,
    id,
  ],
  consentsOfAddress: (email: string): Shape => [...SITE, "consent", email],
  consentsOf: (email: string, list: string): Shape => [...SITE, "consent", email, list],
  /** Visitor IPs that are still to be deleted, oldest first. */
  consentByTime: (at: number, email: string, list: string, id: string): Shape => [
    ...SITE,
    "consent_by_time",
    at,
    email,
    list,
    id,
  ],
  consentByTimeAll: (): Shape => [...SITE, "consent_by_time"],
  consentByTimeUntil: (at: number): Shape => [...SITE, "consent_by_time", at],
  consentText: (hash: string): Shape => [...SITE, "consent_text", hash],
  byStatus: (status: string, list: string, since: number, email: string): Shape => [
    ...SITE,
    "by_status",
    status,
    list,
    since,
    email,
  ],
  byStatusAll: (status: string): Shape => [...SITE, "by_status", status],
  byStatusOn: (status: string, list: string): Shape => [...SITE, "by_status", status, list],
  // subscribers/
  /** The search index, read newest first. `facet` is the indexed property, such as the list. */
  subscriberBy: (facet: string, value: string, createdAt: number, email: string, list: string): Shape => [
    ...SITE,
    "subscriber",
    facet,
    value,
    createdAt,
    email,
    list,
  ],
  subscribersBy: (facet: string, value: string): Shape => [...SITE, "subscriber", facet, value],
  /** The latest bulk action on subscribers; see `subscribers/bulk/run.ts`. */
  bulkRun: (): Shape => [...SITE, "bulk_run"],
  /** The latest move to another provider; see `subscribers/migration/run.ts`. */
  migration: (): Shape => [...SITE, "migration"],
  /** A completed migration of rows from earlier versions. */
  migrated: (what: string): Shape => [...SITE, "migrated", what],

  /** Once-only markers, by the HMAC of the mailbox or of another subject. */
  marker: (what: string, subject: string): Shape => [...SITE, "mark", what, subject],
  markerAll: (what: string): Shape => [...SITE, "mark", what],

  // privacy/
  /** When an address was erased, by the address's HMAC; see `privacy/tombstone.ts`. */
  tombstone: (person: string): Shape => [...SITE, "tombstone", person],

  // shop/: `cart` is an HMAC of the checkout session.
  cart: (cart: string): Shape => [...SITE, "cart", cart],
  /** Carts by their last change, oldest first, so that old ones can be erased. */
  cartByTime: (changedAt: number, cart: string): Shape => [...SITE, "cart_by_time", changedAt, cart],
  cartByTimeAll: (): Shape => [...SITE, "cart_by_time"],
  /** Total bytes of all carts (KvU64). */
  cartBytes: (): Shape => [...SITE, "cart_bytes"],
  /** The carts of an email address. Other spellings of the same mailbox have their own entries. */
  cartOf: (email: string, cart: string): Shape => [...SITE, "cart_of", email, cart],
  cartsOf: (email: string): Shape => [...SITE, "cart_of", email],
  cartByTimeUntil: (changedAt: number): Shape => [...SITE, "cart_by_time", changedAt],

  /** The person who placed an order, for contact statistics. `order` and `person` are HMACs of order ID and address. */
  orderOwner: (order: string): Shape => [...SITE, "order_owner", order],
  /** What each of a person's orders adds to the contact statistics. */
  ledger: (person: string, order: string): Shape => [...SITE, "ledger", person, order],
  ledgerOf: (person: string): Shape => [...SITE, "ledger", person],

  // confirm/
  /** The cursor of earlier versions, for any provider with a list of that ID. */
  pollCursor: (list: string): Shape => [...SITE, "poll", list],
  pollCursorOf: (list: string, provider: string): Shape => [...SITE, "poll", list, provider],
  /** The latest webhook calls, all in one row. */
  webhookCalls: (): Shape => [...SITE, "hook_calls"],
  refusedOrigins: (): Shape => [...SITE, "refused_origins"],
  shopCheck: (): Shape => [...SITE, "shop_check"],
  pollPositionOf: (list: string, provider: string): Shape => [...SITE, "poll_position", list, provider],

  // observe/
  counters: (hour: number, form: string, entry: string): Shape => [...SITE, "books", hour, form, entry],
  countersFrom: (hour: number): Shape => [...SITE, "books", hour],
  countersEnd: (): Shape => [...SITE, "books", Infinity],
  /** The same by day (days since 1970, UTC), so that a month can be read without its hours. */
  countersDay: (day: number, form: string, entry: string): Shape => [...SITE, "books_day", day, form, entry],
  countersDayFrom: (day: number): Shape => [...SITE, "books_day", day],
  /** All counts of one day. */
  countersSummary: (day: number): Shape => [...SITE, "books_summary", day],
  /** The latest flushes of buffered counts; see `observe/flush_once.ts`. */
  flushed: (counts: string): Shape => [...SITE, "flushed", counts],
  /** The provider's last failure and last success. */
  providerHealth: (): Shape => [...SITE, "provider_health"],

  // providers/
  /** Until when nothing is sent to an account; see `providers/calls/shared_pauses.ts`. */
  providerPauses: (): Shape => [...SITE, "provider_pauses"],

  // attribution/: signups by page, campaign and linking site, by day
  pageCounts: (day: number, group: string, step: string): Shape => [...SITE, "page_counts", day, group, step],
  pageCountsFrom: (day: number): Shape => [...SITE, "page_counts", day],
  pageCountsSummary: (day: number): Shape => [...SITE, "page_counts_summary", day],

  // experiments/: what the visitors of each variant did, by day
  experimentCounts: (day: number, variant: string, step: string): Shape => [
    ...SITE,
    "experiment_counts",
    day,
    variant,
    step,
  ],
  experimentCountsFrom: (day: number): Shape => [...SITE, "experiment_counts", day],
  experimentCountsSummary: (day: number): Shape => [...SITE, "experiment_counts_summary", day],

  // sandbox/: the data of the sandbox provider; no other part of cfbe reads it.
  sandboxProject: (): Shape => [...SITE, "sandbox", "project"],
  sandboxList: (id: string): Shape => [...SITE, "sandbox", "list", id],
  sandboxLists: (): Shape => [...SITE, "sandbox", "list"],
  sandboxSubscriber: (list: string, email: string): Shape => [...SITE, "sandbox", "subscriber", list, email],
  sandboxSubscribers: (list: string): Shape => [...SITE, "sandbox", "subscriber", list],
  sandboxContact: (email: string): Shape => [...SITE, "sandbox", "contact", email],
  sandboxContacts: (): Shape => [...SITE, "sandbox", "contact"],
  sandboxField: (name: string): Shape => [...SITE, "sandbox", "field", name],
  sandboxFields: (): Shape => [...SITE, "sandbox", "field"],
  sandboxMail: (at: number, id: string): Shape => [...SITE, "sandbox", "mail", at, id],
  sandboxMails: (): Shape => [...SITE, "sandbox", "mail"],
  sandboxMailTo: (email: string, at: number, id: string): Shape => [
    ...SITE,
    "sandbox",
    "mail_to",
    email,
    at,
    id,
  ],
  sandboxMailsTo: (email: string): Shape => [...SITE, "sandbox", "mail_to", email],
  /** The subscription that a link in an email belongs to, by the link's unguessable token. */
  sandboxLink: (token: string): Shape => [...SITE, "sandbox", "link", token],
  sandboxWebhook: (): Shape => [...SITE, "sandbox", "webhook"],
  sandboxFaults: (): Shape => [...SITE, "sandbox", "faults"],
  sandboxDelivery: (at: number, id: string): Shape => [...SITE, "sandbox", "delivery", at, id],
  sandboxDeliveries: (): Shape => [...SITE, "sandbox", "delivery"],
};

/**
 * The rows that every process keeps in memory: settings, activation, attacks, connected sites and restores. A commit that writes one is announced to
 * the other processes (`Kv.changes`). No signup writes one.
 */
export const CACHED_ROWS: readonly Shape[] = [
  keys.family("settings"),
  keys.activation(),
  keys.attack(),
  keys.sites(),
  keys.restoring(),
  keys.restored(),
];
