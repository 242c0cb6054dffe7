/**
 * Every key shape in the database, in one place. All begin `["s", site]`; every row carries a version `v`.
 * Times in keys are Unix milliseconds, so that listing a prefix goes from old to new.
 *
 * A shape does not know its row: `typed` (`key.ts`) gives it the row's type, beside that type.
 */

/** `main` until several sites are served (decision 4). */
const SITE = ["s", "main"] as const;

type Shape = Deno.KvKey;

export const keys = {
  // jobs/
  /** There while deleted personal data may still be in the database's file; see `ops/purge_deleted_job.ts`. */
  purgeDue: (): Shape => [...SITE, "purge_due"],
  /** Whether the service is active; see `jobs/parking.ts`. */
  activation: (): Shape => [...SITE, "activation"],
  job: (id: string): Shape => [...SITE, "job", id],
  /** When a job is to be looked at next: its due time, or the end of its lease while it runs. */
  due: (at: number, id: string): Shape => [...SITE, "due", at, id],
  dueAll: (): Shape => [...SITE, "due"],
  dead: (at: number, id: string): Shape => [...SITE, "dead", at, id],
  deadAll: (): Shape => [...SITE, "dead"],
  /** A job that is kept until the service is activated again, by the time it was due. */
  parked: (at: number, id: string): Shape => [...SITE, "parked", at, id],
  parkedAll: (): Shape => [...SITE, "parked"],
  /** The last slot of a recurring job that was started; see `jobs/recurring.ts`. */
  slot: (name: string): Shape => [...SITE, "slot", name],

  // ops/
  all: (): Shape => [...SITE],
  /** All rows of a kind: what stands in a key behind the site. */
  family: (family: string): Shape => [...SITE, family],
  /** There while a restore is under way: what there is, is not all. */
  restoring: (): Shape => [...SITE, "restoring"],
  /** Written and deleted to see whether the database takes writes. */
  doctor: (): Shape => [...SITE, "doctor"],
  /** Fingerprints of the salts that the database is used under. */
  salts: (): Shape => [...SITE, "salts"],

  // admin/
  /** Every user in one row, so that what must hold of all of them together is one check. */
  adminUsers: (): Shape => [...SITE, "admin_users"],
  /** `session` is the SHA-256 of what the cookie holds. */
  adminSession: (session: string): Shape => [...SITE, "admin_session", session],
  /** Append-only; holds no address. */
  audit: (at: number, id: string): Shape => [...SITE, "audit", at, id],
  auditAll: (): Shape => [...SITE, "audit"],
  /** From which IP, apart from the row: it is deleted after the retention of IPs, and the row is not. */
  auditIp: (at: number, id: string): Shape => [...SITE, "audit_ip", at, id],
  auditIpAll: (): Shape => [...SITE, "audit_ip"],
  auditIpUntil: (at: number): Shape => [...SITE, "audit_ip", at],

  // settings/
  settings: (tab: string): Shape => [...SITE, "settings", tab],

  // limits/: `subject` is an HMAC, for the log may outlive the record.
  log: (limit: string, subject: string): Shape => [...SITE, "log", limit, subject],

  // signup/: an address may stand in a record; in anything that outlives the record it may not.
  signup: (email: string, list: string): Shape => [...SITE, "signup", email, list],
  signupsOf: (email: string): Shape => [...SITE, "signup", email],
  /** What the visitor saw and did, one row a signup; appended, never changed but for the blanked IP. */
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
  /** Visitor IPs still to be blanked, oldest first. */
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
  /** What searches walk, newest first; `facet` is what those under it have in common. */
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
  /** A change to rows from earlier versions that has been made to all of them. */
  migrated: (what: string): Shape => [...SITE, "migrated", what],

  /** Once-only marks, by HMAC of the mailbox, or of whatever else happens once. */
  marker: (what: string, subject: string): Shape => [...SITE, "mark", what, subject],
  markerAll: (what: string): Shape => [...SITE, "mark", what],

  // privacy/
  /** When an address was erased, by the HMAC of it; see `privacy/tombstone.ts`. */
  tombstone: (person: string): Shape => [...SITE, "tombstone", person],

  // shop/: `cart` is an HMAC of the checkout session.
  cart: (cart: string): Shape => [...SITE, "cart", cart],
  /** Carts by their last change, oldest first, to be erased in time. */
  cartByTime: (changedAt: number, cart: string): Shape => [...SITE, "cart_by_time", changedAt, cart],
  cartByTimeAll: (): Shape => [...SITE, "cart_by_time"],
  /** Bytes of all carts together (KvU64). */
  cartBytes: (): Shape => [...SITE, "cart_bytes"],
  /** The carts of an address, as it was typed into them. */
  cartOf: (email: string, cart: string): Shape => [...SITE, "cart_of", email, cart],
  cartsOf: (email: string): Shape => [...SITE, "cart_of", email],
  cartByTimeUntil: (changedAt: number): Shape => [...SITE, "cart_by_time", changedAt],

  /** Whose order it is, for the numbers of contacts. `order` and `person` are HMACs, of its id and their address. */
  orderOwner: (order: string): Shape => [...SITE, "order_owner", order],
  /** What each order of a person counts for. */
  ledger: (person: string, order: string): Shape => [...SITE, "ledger", person, order],
  ledgerOf: (person: string): Shape => [...SITE, "ledger", person],

  // confirm/
  pollCursor: (list: string): Shape => [...SITE, "poll", list],
  /** The latest calls to the hook route, all in one row. */
  webhookCalls: (): Shape => [...SITE, "hook_calls"],
  pollPosition: (list: string): Shape => [...SITE, "poll_position", list],

  // observe/
  counters: (hour: number, form: string, entry: string): Shape => [...SITE, "books", hour, form, entry],
  countersFrom: (hour: number): Shape => [...SITE, "books", hour],
  countersEnd: (): Shape => [...SITE, "books", Infinity],
  /** The same by day (days since 1970, UTC): a month is read without its hours. */
  countersDay: (day: number, form: string, entry: string): Shape => [...SITE, "books_day", day, form, entry],
  countersDayFrom: (day: number): Shape => [...SITE, "books_day", day],
  /** The last trouble with the provider, and its last good answer. */
  providerHealth: (): Shape => [...SITE, "provider_health"],

  // sandbox/: the embedded provider's own memory; nothing else of the service reads it.
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
  /** The unguessable part of the links in a mail: whose subscription they speak for. */
  sandboxLink: (token: string): Shape => [...SITE, "sandbox", "link", token],
  sandboxWebhook: (): Shape => [...SITE, "sandbox", "webhook"],
  sandboxFaults: (): Shape => [...SITE, "sandbox", "faults"],
  sandboxDelivery: (at: number, id: string): Shape => [...SITE, "sandbox", "delivery", at, id],
  sandboxDeliveries: (): Shape => [...SITE, "sandbox", "delivery"],
};
