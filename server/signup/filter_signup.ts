import type { Hooks, SignupDraft } from "../hooks/hooks.ts";
import type { Signup } from "./record/row.ts";

/**
 * Asks the owner's filter `cfbe_signup`.
 *
 * @returns the signup with name, list and tags as answered, or false where it is not to be accepted
 */
export async function filterSignup(hooks: Hooks, signup: Signup): Promise<Signup | false> {
  const { email, name, list, tags, source, form, consent } = signup;
  const { placement, origin } = consent;
  const answer = await hooks.filter("cfbe_signup", {
    email,
    ...(name !== undefined && { name }),
    list,
    tags,
    source,
    ...(form !== undefined && { form }),
    ...(placement !== undefined && { placement }),
    consent: consent.given,
    ip: consent.ip,
    ...(origin !== undefined && { origin }),
  });
  return answer && withAnswer(signup, answer);
}

function withAnswer({ name: _, ...signup }: Signup, { name, list, tags }: SignupDraft): Signup {
  return { ...signup, ...(name && { name }), list, tags };
}
