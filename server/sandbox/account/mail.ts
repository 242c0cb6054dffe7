import { keys } from "../../platform/kv/keys.ts";
import type { AtomicOperation, Kv } from "../../platform/kv/port.ts";
import type { ListRow, MailRow, SubscriberRow } from "./rows.ts";

/** The inbox: every email that the sandbox pretends to send, indexed by time and by address. */

const EMAILS_PER_PAGE = 20;

/** Adds an email to the commit that caused it, so that neither the email nor its subscriber exists alone. */
export function putMail(tx: AtomicOperation, mail: MailRow): void {
  tx.set(keys.sandboxMail(mail.at, mail.id), mail);
  tx.set(keys.sandboxMailTo(mail.to, mail.at, mail.id), mail);
}

/** Returns the email that asks a subscriber to confirm. */
export function confirmationMail(subscriber: SubscriberRow, list: ListRow, at: number, id: string): MailRow {
  const greeting = subscriber.name ? `Hello ${subscriber.name},` : "Hello,";
  return {
    v: 1,
    id,
    at,
    to: subscriber.email,
    kind: "confirmation",
    subject: `Please confirm your subscription to ${list.name}`,
    text: `${greeting}\n\nSomeone, probably you, signed up ${subscriber.email} for “${list.name}”. ` +
      "Click below to confirm. If this wasn't you, ignore this email and you won't hear from us again.",
    token: subscriber.token,
  };
}

export interface MailPage {
  mails: MailRow[];
  /** Cursor of the next page, with older emails; absent on the last page. */
  before?: string;
}

export interface MailQuery {
  /** Only emails to this address. */
  email?: string | undefined;
  /** Only emails to addresses that contain this text, in lower case. */
  containing?: string | undefined;
  /** Only emails older than this one; see `cursorOf`. */
  before?: { at: number; id: string } | undefined;
  limit?: number | undefined;
}

/** Maximum number of emails that a page reads to find those that contain a text. */
const MAX_SEARCHED = 2_000;

/**
 * Returns a page of emails, newest first. Reads one row more than it returns, or up to 2,000 to find the emails to
 * addresses that contain a text: a page can then have fewer emails than the limit, and still have a cursor.
 */
export async function readMails(kv: Kv, query: MailQuery = {}): Promise<MailPage> {
  const { email, containing = "", before, limit = EMAILS_PER_PAGE } = query;
  const prefix = email === undefined ? keys.sandboxMails() : keys.sandboxMailsTo(email);
  const selector = before ? { prefix, end: [...prefix, before.at, before.id] } : { prefix };
  const most = containing === "" ? limit + 1 : MAX_SEARCHED;
  const mails: MailRow[] = [];
  let read = 0;
  let last: MailRow | undefined;
  for await (const { value } of kv.list<MailRow>(selector, { reverse: true, limit: most })) {
    if (mails.length === limit) return { mails, before: cursorOf(last!) };
    read++;
    last = value;
    if (value.to.includes(containing)) mails.push(value);
  }
  return { mails, ...(read === MAX_SEARCHED && last && { before: cursorOf(last) }) };
}

function cursorOf(mail: MailRow): string {
  return `${mail.at}-${mail.id}`;
}
