import type { JobRow } from "../../jobs/row.ts";

const TITLES: Record<string, string> = {
  cfbe_deliver_signup: "Bring a signup to the provider",
  cfbe_check_signup: "Ask the provider about a signup",
  cfbe_poll_pending: "Poll for confirmations",
  cfbe_blank_ips: "Blank old IPs",
  cfbe_purge_deleted: "Remove deleted data from the database file",
  cfbe_delete_unconfirmed: "Delete unconfirmed signups",
  cfbe_erase_carts: "Erase old carts",
  cfbe_cart_mail: "Mail about a cart",
  cfbe_checkout_signup: "Sign up a buyer who ticked the box",
  cfbe_coupon: "Make and mail a coupon",
  cfbe_sync_contact: "Bring a contact up to date",
  cfbe_order_mail: "Mail about an order",
  cfbe_migrate_rows: "Rewrite rows of an earlier version",
};

/** What a job does in words, and about whom where its payload says so. */
export function jobTitle({ name, payload }: Pick<JobRow, "name" | "payload">): {
  title: string;
  about?: string;
} {
  const email = (payload as { email?: unknown } | null)?.email;
  return { title: TITLES[name] ?? name, ...(typeof email === "string" && { about: email }) };
}
