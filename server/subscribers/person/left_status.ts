import type { ListStatus } from "../../../shared/outcomes.ts";
import type { SignupRecord } from "../../signup/record/row.ts";

/** Returns the list status of someone who confirmed, but is no longer active at the provider. Pure. */
export function leftStatus(
  { status, listStatus }: Pick<SignupRecord, "status" | "listStatus">,
): ListStatus | undefined {
  return status === "active" && listStatus !== "active" ? listStatus : undefined;
}
