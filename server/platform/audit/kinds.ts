/** Kinds of entries that are not actions of the admin. The Audit log page has a title for each. */
export const OTHER_KINDS = [
  "cfbe_sign_in",
  "cfbe_confirm_password",
  "cfbe_confirm_passkey",
  "cfbe_enter_code",
  "cfbe_use_recovery_code",
  "cfbe_use_passkey",
  "cfbe_use_identity",
  "cfbe_connect_identity",
  "cfbe_add_by_domain",
  "cfbe_role_by_claim",
  "cfbe_create_first_admin",
  "cfbe_accept_invitation",
  "cfbe_use_reset_link",
  "cfbe_read_subscribers",
  "cfbe_export_subscribers",
  "cfbe_export_audit",
  "cfbe_erase_at_provider",
  "cfbe_backup",
  "cfbe_restore",
  "cfbe_move_database",
  "cfbe_cancel_database_move",
  "cfbe_api_request",
  "cfbe_collect_site_keys",
  "cfbe_disconnect_site",
] as const;

export type OtherKind = typeof OTHER_KINDS[number];

/** What an entry is about: an action of the admin, or one of the other kinds. */
export type AuditKind = OtherKind | { readonly name: string };
