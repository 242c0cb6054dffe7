import type { AuditRow } from "../../platform/audit/row.ts";
import type { OtherKind } from "../../platform/audit/kinds.ts";
import type { Tab } from "../../settings/schema/schema.ts";
import { TAB_TITLES, TABS } from "../../settings/store/tabs.ts";

/** Titles of the groups that the log can be filtered by. */
export const GROUP_TITLES = {
  access: "Sign-ins and passwords",
  users: "Users",
  settings: "Settings",
  people: "Subscribers and personal data",
  provider: "Provider and shop",
  service: "Jobs, backups and API",
} as const;

export type AuditGroup = keyof typeof GROUP_TITLES;

interface AuditTitle {
  group: AuditGroup;
  title: string;
}

const inGroup = <Kind extends string>(group: AuditGroup, titles: Record<Kind, string>) =>
  Object.fromEntries(
    Object.entries<string>(titles).map(([kind, title]) => [kind, { group, title }]),
  ) as Record<Kind, AuditTitle>;

const OTHERS: Record<OtherKind, AuditTitle> = {
  ...inGroup("access", {
    cfbe_sign_in: "Sign in",
    cfbe_create_first_admin: "Create the first admin",
    cfbe_accept_invitation: "Accept invitation",
    cfbe_use_reset_link: "Use new-password link",
  }),
  ...inGroup("people", {
    cfbe_read_subscribers: "View subscribers",
    cfbe_export_subscribers: "Export subscribers",
    cfbe_erase_at_provider: "Erase person at the provider",
  }),
  ...inGroup("service", {
    cfbe_export_audit: "Export audit log",
    cfbe_backup: "Create backup",
    cfbe_restore: "Restore backup",
    cfbe_api_request: "API request",
  }),
};

/** Every kind of entry, by name. */
export const AUDIT_KINDS: Readonly<Record<string, AuditTitle>> = {
  ...OTHERS,
  ...inGroup("access", {
    cfbe_log_out: "Sign out",
    cfbe_change_password: "Change own password",
    cfbe_end_session: "Sign out on one device",
    cfbe_end_other_sessions: "Sign out on all other devices",
  }),
  ...inGroup("users", {
    cfbe_list_users: "List users",
    cfbe_add_user: "Add user",
    cfbe_set_role: "Change user role",
    cfbe_set_password: "Set user password",
    cfbe_invite_user: "Invite user",
    cfbe_reset_password: "Create new-password link",
    cfbe_list_links: "List open links",
    cfbe_revoke_link: "Revoke link",
    cfbe_sign_out_user: "Sign user out everywhere",
    cfbe_remove_user: "Remove user",
  }),
  ...inGroup("people", {
    cfbe_export_person: "Export personal data",
    cfbe_erase_person: "Erase person",
    cfbe_check_signup: "Check signup status",
    cfbe_resend_confirmation: "Resend confirmation",
    cfbe_allow_again: "Resubscribe person",
    cfbe_review_bulk: "Review bulk action",
    cfbe_resend_confirmations: "Resend confirmations in bulk",
    cfbe_erase_people: "Erase people in bulk",
    cfbe_cancel_bulk: "Cancel bulk action",
  }),
  ...inGroup("provider", {
    cfbe_test_connection: "Test connection",
    cfbe_load_lists: "Load lists",
    cfbe_use_provider: "Switch provider",
    cfbe_send_test_signup: "Send test signup",
    cfbe_register_webhook: "Register webhook",
    cfbe_new_webhook_secret: "Create webhook secret",
    cfbe_migrate_provider: "Move subscribers to provider",
    cfbe_cancel_migration: "Cancel move to provider",
    cfbe_end_confirmations: "End open confirmations",
    cfbe_test_coupon: "Create test coupon",
  }),
  ...inGroup("service", {
    cfbe_activate: "Activate",
    cfbe_deactivate: "Deactivate",
    cfbe_retry_job: "Retry job",
    cfbe_retry_dead_jobs: "Retry all failed jobs",
    cfbe_retry_waiting_jobs: "Run all waiting retries now",
    cfbe_cancel_job: "Cancel job",
    cfbe_forget_limits: "Forget rate limits",
    cfbe_send_test_alert: "Send test alert",
  }),
  ...inGroup("settings", {
    ...Object.fromEntries(TABS.map((tab: Tab) => [`cfbe_save_${tab}`, `Settings: ${TAB_TITLES[tab]}`])),
    cfbe_add_form: "Add form",
    cfbe_edit_form: "Settings: Form",
    cfbe_remove_form: "Remove form",
    cfbe_duplicate_form: "Duplicate form",
    cfbe_import_form: "Import form",
    cfbe_discard_form_draft: "Discard draft of a form",
    cfbe_publish_form: "Publish form",
    cfbe_set_form_status: "Status of a form",
    cfbe_create_experiment: "Create experiment",
    cfbe_edit_experiment: "Change experiment",
    cfbe_edit_variant_texts: "Texts of variants in one language",
    cfbe_add_variant: "Add variant",
    cfbe_remove_variant: "Remove variant",
    cfbe_save_variant_image: "Change image of variant",
    cfbe_remove_variant_image: "Remove image of variant",
    cfbe_start_experiment: "Start experiment",
    cfbe_stop_experiment: "Stop experiment",
    cfbe_keep_variant: "Keep variant of experiment",
    cfbe_remove_experiment: "Remove experiment",
    cfbe_save_form_image: "Change form image",
    cfbe_remove_form_image: "Remove form image",
    cfbe_save_form_locale: "Default texts of one language",
    cfbe_save_form_texts: "Texts of a form in one language",
  }),
};

type Titled = Pick<AuditRow, "action" | "result">;

export function isFailedSignIn({ action, result }: Titled): boolean {
  return action === "cfbe_sign_in" && result === "refused";
}

/** Returns the title of an entry, or its kind if that has no title, as in the log of a later version. */
export function auditTitle(entry: Titled): string {
  return isFailedSignIn(entry) ? "Failed sign-in" : AUDIT_KINDS[entry.action]?.title ?? entry.action;
}

/** Returns the kinds in a group. */
export function kindsIn(group: AuditGroup): string[] {
  return Object.keys(AUDIT_KINDS).filter((kind) => AUDIT_KINDS[kind]!.group === group);
}
