import type { JobRow } from "../../platform/jobs/row.ts";

const TITLES: Record<string, string> = {
  cfbe_deliver_signup: "Deliver signup",
  cfbe_resume_deliveries: "Bring deliveries forward after an outage",
  cfbe_check_signup: "Check signup status",
  cfbe_identify_subscriber: "Look up whom a webhook is about",
  cfbe_poll_pending: "Poll for confirmations",
  cfbe_blank_ips: "Delete old IP addresses",
  cfbe_purge_deleted: "Purge deleted data from the database file",
  cfbe_delete_unconfirmed: "Delete unconfirmed signups",
  cfbe_erase_carts: "Delete old carts",
  cfbe_sweep_images: "Delete unused images",
  cfbe_cart_mail: "Send cart reminder",
  cfbe_checkout_signup: "Sign up buyer",
  cfbe_coupon: "Create and send coupon",
  cfbe_notify_confirmed: "Run the hook cfbe_confirmed",
  cfbe_sync_contact: "Sync contact",
  cfbe_order_mail: "Send order email",
  cfbe_allow_again: "Resubscribe person",
  cfbe_bulk_people: "Bulk action on subscribers",
  cfbe_bulk_erasure: "Erase many people",
  cfbe_migrate_provider: "Move to another provider",
  cfbe_erase_person: "Finish erasing person",
  cfbe_migrate_rows: "Migrate data",
  cfbe_check_alerts: "Check for alerts",
  cfbe_send_alerts: "Send alert notifications",
  cfbe_index_signups: "Index queued signups",
};

/** Returns the title of a job, and the email address it is about if its payload contains one. */
export function jobTitle({ name, payload }: Pick<JobRow, "name" | "payload">): {
  title: string;
  about?: string;
} {
  const email = (payload as { email?: unknown } | null)?.email;
  return { title: TITLES[name] ?? name, ...(typeof email === "string" && { about: email }) };
}
