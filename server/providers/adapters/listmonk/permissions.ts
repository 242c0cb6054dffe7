import { z } from "zod";
import type { MissingPermission } from "../../port/port.ts";

/** Reads what the API user may do. Source: listmonk's `internal/auth/models.go`, version 6. */

/** The permissions that cfbe needs, and what for. */
const NEEDED: Readonly<Record<string, MissingPermission["for"]>> = {
  "lists:get_all": "signups",
  "lists:manage_all": "signups",
  "subscribers:get": "signups",
  "subscribers:get_all": "signups",
  "subscribers:manage": "signups",
  "tx:send": "emails",
  "templates:get": "emails",
};
/** A role for lists can give them for single lists instead. */
const OF_LISTS: readonly string[] = ["lists:get_all", "lists:manage_all"];
/** The role of the first user, who may do everything, whatever the role lists. */
const SUPER_ADMIN = 1;

const Profile = z.object({
  user_role: z.object({ id: z.number(), permissions: z.array(z.string()).nullish() }),
  list_role: z.object({ lists: z.array(z.unknown()).nullish() }).nullish(),
});

/** Returns the permissions that a user lacks; undefined if `profile` is not that of a user. */
export function missingPermissions(profile: unknown): MissingPermission[] | undefined {
  const read = Profile.safeParse(profile);
  if (!read.success) return undefined;
  const { user_role: role, list_role: lists } = read.data;
  if (role.id === SUPER_ADMIN) return [];
  const has = new Set(role.permissions ?? []);
  if ((lists?.lists ?? []).length > 0) { for (const permission of OF_LISTS) has.add(permission); }
  return Object.entries(NEEDED).flatMap(([permission, purpose]) =>
    has.has(permission) ? [] : [{ permission, for: purpose }]
  );
}
