import { keys } from "../kv/keys.ts";
import type { ListRow, MailRow, SubscriberRow } from "./rows.ts";

/** The inbox: every mail the sandbox pretends to send, by time and by address. */

const MAILS_A_PAGE = 20;

/** Writes a mail in the commit that caused it: no mail without its subscriber, no subscriber without its mail. */
export function putMail(tx: Deno.AtomicOperation, mail: MailRow): void {
  tx.set(keys.sandboxMail(mail.at, mail.id), mail);
  tx.set(keys.sandboxMailTo(mail.to, mail.at, mail.id), mail);
}

/** The mail that asks a person to confirm. */
export function confirmationMail(subscriber: SubscriberRow, list: ListRow, at: number, id: string): MailRow {
  const greeting = subscriber.name ? `Hello ${subscriber.name},` : "Hello,";
  return {
    v: 1,
    id,
    at,
    to: subscriber.email,
    kind: "confirmation",
    subject: `Please confirm your subscription to ${list.name}`,
    text:
      `${greeting}\n\nsomebody, probably you, asked for “${list.name}” to be sent to ${subscriber.email}. ` +
      "Confirm it with the link below. If it was not you, do nothing: without your confirmation nothing is sent.",
    token: subscriber.token,
  };
}

export interface MailPage {
  mails: MailRow[];
  /** Where the page of older mails begins; undefined on the last one. */
  before?: string;
}

export interface MailQuery {
  /** Only mails to this address. */
  email?: string | undefined;
  /** `<time>-<id>` of the mail that the page ends before; see `cursorOf`. */
  before?: { at: number; id: string } | undefined;
  limit?: number | undefined;
}

/** A page of mails, newest first; reads no more rows than it shows, and one. */
export async function readMails(kv: Deno.Kv, query: MailQuery = {}): Promise<MailPage> {
  const { email, before, limit = MAILS_A_PAGE } = query;
  const prefix = email === undefined ? keys.sandboxMails() : keys.sandboxMailsTo(email);
  const selector = before ? { prefix, end: [...prefix, before.at, before.id] } : { prefix };
  const rows = kv.list<MailRow>(selector, { reverse: true, limit: limit + 1 });
  const mails = await Array.fromAsync(rows, (entry) => entry.value);
  const last = mails[limit - 1];
  if (mails.length <= limit || !last) return { mails };
  return { mails: mails.slice(0, limit), before: cursorOf(last) };
}

function cursorOf(mail: MailRow): string {
  return `${mail.at}-${mail.id}`;
}
