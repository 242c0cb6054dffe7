import { formQuery } from "../../../settings/forms/all_forms.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { at } from "../../frame/ajax_body.ts";
import { adminHref, type View } from "../../frame/view.ts";
import { type CheckedUse, checkUses } from "./checked_uses.ts";
import { describedVisit, type VisitFields, visitFields, visitQuery } from "./described_visit.ts";
import { type AskedFields, askedFields } from "./asked_fields.ts";

/** What "Why isn't it showing?" shows on a form's page. */
export interface FormCheck {
  fields: VisitFields;
  /** Whether something was sent that cannot be checked: the page's URL is missing or invalid. */
  invalid: boolean;
  /** Whether the link to a result cannot be read. */
  unreadable: boolean;
  /** Undefined until something is checked. */
  result?: {
    uses: CheckedUse[];
    /** Whether the rules differ from the saved ones. */
    unsaved: boolean;
    /** URL of a page that shows the result for the saved rules. */
    link: string;
  };
  /** The settings that are checked. */
  settings: Settings;
  asked: AskedFields;
}

/**
 * Checks the rules of a form, if the request describes a visit: it sent the page's form, whose rules may
 * not be saved, or it opened a link to a result.
 *
 * @param drafted with the settings that the page's form shows, which may be those of a draft
 * @param action the action that saves the rules
 */
export async function checkForm(
  view: View,
  drafted: View,
  { name, action }: { name: string; action: string },
): Promise<FormCheck> {
  const { app, query, now } = view;
  const posted = view.posted?.action === action ? view.posted : undefined;
  const settings = posted?.checked?.settings ?? app.settings.current();
  const zone = siteZone(settings);
  const linked = posted ? null : query.get("visit");
  const fields = onSite(
    visitFields(
      posted ? sentFields(posted.input) : linkedFields(settings, linked),
      now,
      zone,
      posted?.check,
    ),
    settings.general.origins[0] ?? app.config.baseUrl,
  );
  const described = describedVisit(fields, now, zone);
  const isAsked = posted ? posted.check !== undefined : linked !== null;
  const isValid = posted ? posted.checked !== undefined : true;
  const check: FormCheck = {
    fields,
    invalid: isAsked && !described,
    unreadable: view.unreadable,
    settings,
    asked: askedFields(posted?.checked?.settings ?? drafted.app.settings.current(), name, now),
  };
  if (!isAsked || !isValid || !described) return check;
  const uses = checkUses({ settings, baseUrl: app.config.baseUrl }, described, name);
  const search = await view.encryptQuery([
    ...Object.entries(formQuery(name)),
    ["visit", visitQuery(fields)],
  ]);
  const link = `${new URL(app.config.baseUrl).origin}${adminHref(app, view.path)}${search}#why`;
  return { ...check, result: { uses, unsaved: posted?.checked?.unsaved ?? false, link } };
}

/** Returns the fields with the URL of the page, where only its path was entered. */
function onSite(fields: VisitFields, site: string): VisitFields {
  const url = fields.address.startsWith("/") ? URL.parse(fields.address, site) : null;
  return url ? { ...fields, address: url.href } : fields;
}

const sentFields = (input: unknown) => ({
  get(field: string) {
    const value = at(input, `visit.${field}`);
    return typeof value === "string" ? value : null;
  },
});

/** Returns the fields of a link to a result. Without one, the page is the first site whose pages may embed forms. */
function linkedFields({ general: { origins } }: Settings, linked: string | null) {
  if (linked !== null) return new URLSearchParams(linked);
  return new URLSearchParams({ address: origins[0] ? `${origins[0]}/` : "" });
}
