/** What the audit log's actions are called. Settings are saved by tab. */
const TITLES: Record<string, string> = {
  cfbe_sign_in: "Sign in",
  cfbe_log_out: "Sign out",
  cfbe_change_password: "Change own password",
  cfbe_add_user: "Add a user",
  cfbe_set_role: "Change a user's role",
  cfbe_set_password: "Set a user's password",
  cfbe_remove_user: "Remove a user",
  cfbe_export_subscribers: "Export subscribers",
  cfbe_read_subscribers: "Read subscribers",
  cfbe_export_person: "Export a person's data",
  cfbe_erase_person: "Erase a person",
  cfbe_erase_at_provider: "Erase a person at the provider",
  cfbe_backup: "Take a backup",
  cfbe_api_request: "Use the API token",
  cfbe_test_connection: "Test the provider connection",
  cfbe_load_lists: "Load lists",
  cfbe_register_webhook: "Register the webhook",
  cfbe_new_webhook_secret: "Renew the webhook secret",
  cfbe_activate: "Activate",
  cfbe_deactivate: "Deactivate",
  cfbe_retry_job: "Retry a job",
  cfbe_retry_dead_jobs: "Retry all failed jobs",
  cfbe_cancel_job: "Cancel a job",
  cfbe_check_signup: "Check a signup",
  cfbe_resend_confirmation: "Resend a confirmation",
  cfbe_allow_again: "Allow a mailbox again",
  cfbe_save_form_locale: "Save settings: form, one language",
};

/** Returns an action of the audit log in words, or its name if it has none. */
export function auditTitle(action: string): string {
  const tab = /^cfbe_save_(\w+)$/.exec(action)?.[1];
  return TITLES[action] ?? (tab === undefined ? action : `Save settings: ${tab}`);
}
