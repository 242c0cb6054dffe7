import type { Trouble } from "../trouble.ts";
import type { Attributes, EnsureAttributes } from "./attributes.ts";
import type { BrevoResponse, BrevoSend } from "./http.ts";
import { numericId } from "./ids.ts";
import { notConfigured, trouble } from "./results.ts";

/** What the confirmation email needs. Both come from the settings, which can change between calls. */
export interface OptInSettings {
  /** ID of the template of the confirmation email. */
  template: () => string;
  /** The page that people see after they confirmed. */
  thanksUrl: () => string;
}

/** Requests the confirmation email for somebody who is not on the list and never left it. */
export type RequestConfirmation = (
  email: string,
  list: number,
  attributes: Attributes,
) => Promise<BrevoResponse | Trouble>;

/** Returns the function that requests a confirmation. Source: developers.brevo.com, page "Create contact via DOI". */
export function confirmationRequest(
  send: BrevoSend,
  ensure: EnsureAttributes,
  settings: OptInSettings,
): RequestConfirmation {
  return async (email, list, attributes) => {
    const templateId = numericId(settings.template());
    const redirectionUrl = settings.thanksUrl();
    if (templateId === undefined) {
      return notConfigured("the ID of the confirmation email's template must be a number");
    }
    if (!/^https?:$/.test(URL.parse(redirectionUrl)?.protocol ?? "")) {
      return notConfigured("the page after the confirmation must be a URL");
    }
    const hasAttributes = Object.keys(attributes).length > 0;
    const failed = hasAttributes ? await ensure(attributes) : undefined;
    // Nothing was sent to the person yet.
    if (failed) return { ...trouble(failed, "writes"), unknown: false };
    const body = {
      email,
      includeListIds: [list],
      templateId,
      redirectionUrl,
      ...(hasAttributes && { attributes }),
    };
    return await send({ method: "POST", path: "/contacts/doubleOptinConfirmation", body });
  };
}
