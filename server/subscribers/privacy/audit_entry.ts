import { OTHER_ACTORS } from "../../platform/audit/actor_name.ts";
import type { Audit } from "../../platform/audit/audit.ts";

/** Records in the audit log, without the address, whether it was erased at one provider. */
export async function recordErasureAt(
  audit: Audit,
  { email, title, result }: { email: string; title: string; result: "done" | "failed" },
): Promise<void> {
  const end = await audit.begin({
    who: OTHER_ACTORS.program,
    action: "cfbe_erase_at_provider",
    target: audit.target(email),
  });
  await end(result, [{ path: "provider", after: title }]);
}
