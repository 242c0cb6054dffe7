import type { Tab } from "../../settings/schema.ts";
import { TAB_TITLES } from "../../settings/tabs.ts";

/** Titles of the actions in the audit log, other than `cfbe_save_<tab>`. */
const TITLES: Record<string, string> = {
  cfbe_sign_in: "Sign in",
  cfbe_log_out: "Sign out",
  cfbe_change_password: "Change own password",
  cfbe_end_session: "Sign out on one device",
  cfbe_end_other_sessions: "Sign out on all other devices",
  cfbe_list_users: "List users",
  cfbe_add_user: "Add user",
  cfbe_set_role: "Change user role",
  cfbe_set_password: "Set user password",
  cfbe_sign_out_user: "Sign user out everywhere",
  cfbe_remove_user: "Remove user",
  cfbe_export_subscribers: "Export subscribers",
  cfbe_read_subscribers: "View subscribers",
  cfbe_export_person: "Export personal data",
  cfbe_erase_person: "Erase person",
  cfbe_erase_at_provider: "Erase person at the provider",
  cfbe_backup: "Create backup",
  cfbe_api_request: "API request",
  cfbe_test_connection: "Test connection",
  cfbe_load_lists: "Load lists",
  cfbe_register_webhook: "Register webhook",
  cfbe_new_webhook_secret: "Create webhook secret",
  cfbe_activate: "Activate",
  cfbe_deactivate: "Deactivate",
  cfbe_retry_job: "Retry job",
  cfbe_retry_dead_jobs: "Retry all failed jobs",
  cfbe_cancel_job: "Cancel job",
  cfbe_check_signup: "Check signup status",
  cfbe_resend_confirmation: "Resend confirmation",
  cfbe_allow_again: "Resubscribe person",
  cfbe_save_form_locale: "Save texts of one language",
};

/** Returns the title of an action in the audit log, or its name if it has no title. */
export function auditTitle(action: string): string {
  const tab = /^cfbe_save_(\w+)$/.exec(action)?.[1];
  const tabTitle = tab && TAB_TITLES[tab as Tab];
  return TITLES[action] ?? (tabTitle ? `Save settings: ${tabTitle}` : action);
}
