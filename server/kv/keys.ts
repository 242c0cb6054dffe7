/**
 * Every key shape in the database, in one place. All begin `["s", site]`; every row carries a version `v`.
 * Times in keys are Unix milliseconds, so that listing a prefix goes from old to new.
 */

/** `main` until several sites are served (decision 4). */
const SITE = ["s", "main"] as const;

type Key = Deno.KvKey;

export const keys = {
  // jobs/
  /** Whether the service is active; see `jobs/parking.ts`. */
  /** There while deleted personal data may still be in the database's file; see `ops/purge_deleted_job.ts`. */
  purgeDue: (): Key => [...SITE, "purge_due"],
  activation: (): Key => [...SITE, "activation"],
  job: (id: string): Key => [...SITE, "job", id],
  /** When a job is to be looked at next: its due time, or the end of its lease while it runs. */
  due: (at: number, id: string): Key => [...SITE, "due", at, id],
  dueAll: (): Key => [...SITE, "due"],
  dead: (at: number, id: string): Key => [...SITE, "dead", at, id],
  deadAll: (): Key => [...SITE, "dead"],
  /** A job that is kept until the service is activated again, by the time it was due. */
  parked: (at: number, id: string): Key => [...SITE, "parked", at, id],
  parkedAll: (): Key => [...SITE, "parked"],
  /** The last slot of a recurring job that was started; see `jobs/recurring.ts`. */
  slot: (name: string): Key => [...SITE, "slot", name],

  // ops/
  all: (): Key => [...SITE],
  /** All rows of a kind: what stands in a key behind the site. */
  family: (family: string): Key => [...SITE, family],
  /** There while a restore is under way: what there is, is not all. */
  restoring: (): Key => [...SITE, "restoring"],
  /** Written and deleted to see whether the database takes writes. */
  doctor: (): Key => [...SITE, "doctor"],
  /** Fingerprints of the salts that the database is used under. */
  salts: (): Key => [...SITE, "salts"],

  // admin/
  /** Every user in one row, so that what must hold of all of them together is one check. */
  adminUsers: (): Key => [...SITE, "admin_users"],
  /** `session` is the SHA-256 of what the cookie holds. */
  adminSession: (session: string): Key => [...SITE, "admin_session", session],
  /** Append-only; holds no address. */
  audit: (at: number, id: string): Key => [...SITE, "audit", at, id],
  auditAll: (): Key => [...SITE, "audit"],
  /** From which IP, apart from the row: it is deleted after the retention of IPs, and the row is not. */
  auditIp: (at: number, id: string): Key => [...SITE, "audit_ip", at, id],
  auditIpAll: (): Key => [...SITE, "audit_ip"],
  auditIpUntil: (at: number): Key => [...SITE, "audit_ip", at],

  // settings/
  settings: (tab: string): Key => [...SITE, "settings", tab],

  // limits/: `subject` is an HMAC, for the log may outlive the record.
  log: (limit: string, subject: string): Key => [...SITE, "log", limit, subject],

  // signup/: an address may stand in a record; in anything that outlives the record it may not.
  signup: (email: string, list: string): Key => [...SITE, "signup", email, list],
  signupsOf: (email: string): Key => [...SITE, "signup", email],
  /** What the visitor saw and did, one row a signup; appended, never changed but for the blanked IP. */
  consent: (email: string, list: string, at: number, id: string): Key => [
    ...SITE,
    "consent",
    email,
    list,
    at,
    id,
  ],
  consentsOfAddress: (email: string): Key => [...SITE, "consent", email],
  consentsOf: (email: string, list: string): Key => [...SITE, "consent", email, list],
  /** Visitor IPs still to be blanked, oldest first. */
  consentByTime: (at: number, email: string, list: string, id: string): Key => [
    ...SITE,
    "consent_by_time",
    at,
    email,
    list,
    id,
  ],
  consentByTimeAll: (): Key => [...SITE, "consent_by_time"],
  consentByTimeUntil: (at: number): Key => [...SITE, "consent_by_time", at],
  consentText: (hash: string): Key => [...SITE, "consent_text", hash],
  byStatus: (status: string, list: string, since: number, email: string): Key => [
    ...SITE,
    "by_status",
    status,
    list,
    since,
    email,
  ],
  byStatusAll: (status: string): Key => [...SITE, "by_status", status],
  byStatusOn: (status: string, list: string): Key => [...SITE, "by_status", status, list],
  // subscribers/
  /** What searches walk, newest first; `facet` is what those under it have in common. */
  subscriberBy: (facet: string, value: string, createdAt: number, email: string, list: string): Key => [
    ...SITE,
    "subscriber",
    facet,
    value,
    createdAt,
    email,
    list,
  ],
  subscribersBy: (facet: string, value: string): Key => [...SITE, "subscriber", facet, value],
  /** A change to rows from earlier versions that has been made to all of them. */
  migrated: (what: string): Key => [...SITE, "migrated", what],

  /** Once-only marks, by HMAC of the mailbox, or of whatever else happens once. */
  marker: (what: string, subject: string): Key => [...SITE, "mark", what, subject],
  markerAll: (what: string): Key => [...SITE, "mark", what],

  // privacy/
  /** When an address was erased, by the HMAC of it; see `privacy/tombstone.ts`. */
  tombstone: (person: string): Key => [...SITE, "tombstone", person],

  // shop/: `cart` is an HMAC of the checkout session.
  cart: (cart: string): Key => [...SITE, "cart", cart],
  /** Carts by their last change, oldest first, to be erased in time. */
  cartByTime: (changedAt: number, cart: string): Key => [...SITE, "cart_by_time", changedAt, cart],
  cartByTimeAll: (): Key => [...SITE, "cart_by_time"],
  /** Bytes of all carts together (KvU64). */
  cartBytes: (): Key => [...SITE, "cart_bytes"],
  /** The carts of an address, as it was typed into them. */
  cartOf: (email: string, cart: string): Key => [...SITE, "cart_of", email, cart],
  cartsOf: (email: string): Key => [...SITE, "cart_of", email],
  cartByTimeUntil: (changedAt: number): Key => [...SITE, "cart_by_time", changedAt],

  /** Whose order it is, for the numbers of contacts. `order` and `person` are HMACs, of its id and their address. */
  orderOwner: (order: string): Key => [...SITE, "order_owner", order],
  /** What each order of a person counts for. */
  ledger: (person: string, order: string): Key => [...SITE, "ledger", person, order],
  ledgerOf: (person: string): Key => [...SITE, "ledger", person],

  // confirm/
  pollCursor: (list: string): Key => [...SITE, "poll", list],
  /** The latest calls to the hook route, all in one row. */
  webhookCalls: (): Key => [...SITE, "hook_calls"],
  pollPosition: (list: string): Key => [...SITE, "poll_position", list],

  // observe/
  counters: (hour: number, form: string, entry: string): Key => [...SITE, "books", hour, form, entry],
  countersFrom: (hour: number): Key => [...SITE, "books", hour],
  countersEnd: (): Key => [...SITE, "books", Infinity],
  /** The same by day (days since 1970, UTC): a month is read without its hours. */
  countersDay: (day: number, form: string, entry: string): Key => [...SITE, "books_day", day, form, entry],
  countersDayFrom: (day: number): Key => [...SITE, "books_day", day],
  /** The last trouble with the provider, and its last good answer. */
  providerHealth: (): Key => [...SITE, "provider_health"],

  // sandbox/: the embedded provider's own memory; nothing else of the service reads it.
  sandboxProject: (): Key => [...SITE, "sandbox", "project"],
  sandboxList: (id: string): Key => [...SITE, "sandbox", "list", id],
  sandboxLists: (): Key => [...SITE, "sandbox", "list"],
  sandboxSubscriber: (list: string, email: string): Key => [...SITE, "sandbox", "subscriber", list, email],
  sandboxSubscribers: (list: string): Key => [...SITE, "sandbox", "subscriber", list],
  sandboxContact: (email: string): Key => [...SITE, "sandbox", "contact", email],
  sandboxContacts: (): Key => [...SITE, "sandbox", "contact"],
  sandboxField: (name: string): Key => [...SITE, "sandbox", "field", name],
  sandboxFields: (): Key => [...SITE, "sandbox", "field"],
  sandboxMail: (at: number, id: string): Key => [...SITE, "sandbox", "mail", at, id],
  sandboxMails: (): Key => [...SITE, "sandbox", "mail"],
  sandboxMailTo: (email: string, at: number, id: string): Key => [
    ...SITE,
    "sandbox",
    "mail_to",
    email,
    at,
    id,
  ],
  sandboxMailsTo: (email: string): Key => [...SITE, "sandbox", "mail_to", email],
  /** The unguessable part of the links in a mail: whose subscription they speak for. */
  sandboxLink: (token: string): Key => [...SITE, "sandbox", "link", token],
  sandboxWebhook: (): Key => [...SITE, "sandbox", "webhook"],
  sandboxFaults: (): Key => [...SITE, "sandbox", "faults"],
  sandboxDelivery: (at: number, id: string): Key => [...SITE, "sandbox", "delivery", at, id],
  sandboxDeliveries: (): Key => [...SITE, "sandbox", "delivery"],
};
