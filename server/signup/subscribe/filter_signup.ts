import type { Hooks, SignupDraft } from "../../settings/hooks/hooks.ts";
import type { Signup } from "../record/row.ts";

/**
 * Runs the site's `cfbe_signup` filter.
 *
 * @returns the signup with the name, list and tags that the filter returned, or false if it dropped the signup
 */
export async function filterSignup(hooks: Hooks, signup: Signup): Promise<Signup | false> {
  const { email, name, list, tags, fields, source, form, consent } = signup;
  const { placement, origin } = consent;
  const result = await hooks.filter("cfbe_signup", {
    email,
    ...(name !== undefined && { name }),
    list,
    tags,
    ...(Object.keys(fields ?? {}).length > 0 && { fields }),
    source,
    ...(form !== undefined && { form }),
    ...(placement !== undefined && { placement }),
    consent: consent.given,
    ip: consent.ip,
    ...(origin !== undefined && { origin }),
  });
  return result && applyResult(signup, result);
}

function applyResult({ name: _, ...signup }: Signup, { name, list, tags }: SignupDraft): Signup {
  return { ...signup, ...(name && { name }), list, tags };
}
