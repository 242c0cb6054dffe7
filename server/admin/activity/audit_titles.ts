import type { AuditRow } from "../../platform/audit/row.ts";
import type { OtherKind } from "../../platform/audit/kinds.ts";
import { type Action, type AuditGroup, GROUP_TITLES } from "../frame/action.ts";

interface AuditTitle {
  group: AuditGroup;
  title: string;
}

const OTHERS: Record<OtherKind, AuditTitle> = {
  cfbe_sign_in: { group: "access", title: "Sign in" },
  cfbe_confirm_password: { group: "access", title: "Confirm password" },
  cfbe_confirm_passkey: { group: "access", title: "Confirm with passkey" },
  cfbe_enter_code: { group: "access", title: "Enter code to sign in" },
  cfbe_use_recovery_code: { group: "access", title: "Use recovery code" },
  cfbe_use_passkey: { group: "access", title: "Sign in with passkey" },
  cfbe_use_identity: { group: "access", title: "Sign in with identity provider" },
  cfbe_connect_identity: { group: "access", title: "Connect account at identity provider" },
  cfbe_add_by_domain: { group: "users", title: "Add user by email domain" },
  cfbe_role_by_claim: { group: "users", title: "Change user role by identity provider" },
  cfbe_create_first_admin: { group: "access", title: "Create the first admin" },
  cfbe_accept_invitation: { group: "access", title: "Accept invitation" },
  cfbe_use_reset_link: { group: "access", title: "Use new-password link" },
  cfbe_read_subscribers: { group: "people", title: "View subscribers" },
  cfbe_export_subscribers: { group: "people", title: "Export subscribers" },
  cfbe_erase_at_provider: { group: "people", title: "Erase person at the provider" },
  cfbe_export_audit: { group: "service", title: "Export audit log" },
  cfbe_backup: { group: "service", title: "Create backup" },
  cfbe_restore: { group: "service", title: "Restore backup" },
  cfbe_move_database: { group: "service", title: "Move database" },
  cfbe_cancel_database_move: { group: "service", title: "Cancel the move of the database" },
  cfbe_collect_site_keys: { group: "access", title: "Hand keys to a connected site" },
  cfbe_disconnect_site: { group: "access", title: "Site disconnected itself" },
  cfbe_api_request: { group: "service", title: "API request" },
};

type Titled = Pick<AuditRow, "action" | "result">;

/** The kinds of entries of the audit log, in plain words. */
export interface AuditTitles {
  /** Titles by the value of a filter: a kind of entry, or a group of kinds. */
  filters: Readonly<Record<string, string>>;
  /** Returns the title of an entry, or its kind if that has no title, as in the log of a later version. */
  of(entry: Titled): string;
  /** Returns the kinds in a group. */
  kindsIn(group: AuditGroup): string[];
}

/** Returns the titles of all kinds of entries: of actions, and of what is logged besides them. */
export function auditTitles(actions: readonly Action[]): AuditTitles {
  const kinds = new Map<string, AuditTitle>([
    ...Object.entries(OTHERS),
    ...actions.map((action) => [action.name, action] as const),
  ]);
  const titles = [...kinds].map(([kind, { title }]) => [kind, title] as const);
  return {
    filters: { ...GROUP_TITLES, ...Object.fromEntries(titles) },
    of: (entry) => isFailedSignIn(entry) ? "Failed sign-in" : kinds.get(entry.action)?.title ?? entry.action,
    kindsIn: (group) => [...kinds].filter(([, kind]) => kind.group === group).map(([kind]) => kind),
  };
}

export function isFailedSignIn({ action, result }: Titled): boolean {
  return action === "cfbe_sign_in" && result === "refused";
}

/** Returns whether the value of a filter is a whole group. */
export const isGroup = (value: string): value is AuditGroup => Object.hasOwn(GROUP_TITLES, value);
