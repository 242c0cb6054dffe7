import type { Trouble } from "../../port/trouble.ts";
import type { CustomFieldsOf } from "../../port/custom_fields.ts";
import type { Attributes } from "./attributes.ts";
import type { BrevoResponse, BrevoSend } from "./http.ts";
import { numericId } from "./ids.ts";
import { notConfigured } from "./results.ts";

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
  attributesOf: CustomFieldsOf,
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
    const own = await attributesOf(attributes);
    if (own.kind === "trouble") return own;
    const body = {
      email,
      includeListIds: [list],
      templateId,
      redirectionUrl,
      ...(Object.keys(own.values).length > 0 && { attributes: own.values }),
    };
    return await send({ method: "POST", path: "/contacts/doubleOptinConfirmation", body });
  };
}
