import { fieldText } from "../../../shared/fields/field_text.ts";
import { hasWebAddress } from "../../../shared/fields/plain_text.ts";
import { PAGE_VALUE_NAMES, pageValue } from "../../../shared/page_values.ts";
import type { SignupPage } from "../../../shared/signup_page.ts";
import type { Capabilities } from "../../providers/port/capabilities.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { formOf } from "../../settings/forms/all_forms.ts";
import { MASKED } from "../attribution/read_page.ts";
import type { SignupRecord } from "../record/row.ts";

type Properties = Record<string, string | number>;

/**
 * Returns what a provider stores of a signup beside its name and tags: the values of its page that the settings choose, and
 * the answers to its fields. If both have the same name, the answer counts. Returns undefined if there is nothing to store.
 *
 * @param store where the provider stores them
 */
export function propertiesOf(
  settings: Pick<Settings, "form" | "forms" | "popup">,
  record: Pick<SignupRecord, "form" | "fields" | "page">,
  store: Capabilities["properties"] = false,
): Properties | undefined {
  const properties = { ...pageProperties(settings, record), ...answers(settings, record, store) };
  return Object.keys(properties).length > 0 ? properties : undefined;
}

/** Returns the values of the signup's page by the names that the settings choose. */
function pageProperties({ form }: Pick<Settings, "form">, { page }: Pick<SignupRecord, "page">): Properties {
  return Object.fromEntries(PAGE_VALUE_NAMES.flatMap((name) => {
    const property = form.attributionFields[name];
    const value = page && pageValue(name === "page" ? withoutAddresses(page) : page, name);
    return property !== "" && value !== undefined ? [[property, value]] : [];
  }));
}

/** How the names of pages end, which no email client takes for a domain. */
const PAGE_ENDING = /\.(?:html?|php|aspx?|jsp)$/i;

/** Returns the page with `*` for each segment of its path that an email with the path could show as a link. */
function withoutAddresses(page: SignupPage): SignupPage {
  const segments = page.path.split("/").map((segment) =>
    hasWebAddress(`${segment.replace(PAGE_ENDING, "")}//`) ? MASKED : segment
  );
  return { ...page, path: segments.join("/") };
}

/** Returns the answers by the names that the settings choose, or those of the provider's own fields, or those of the fields. */
function answers(
  settings: Pick<Settings, "form" | "forms" | "popup">,
  record: Pick<SignupRecord, "form" | "fields">,
  store: Capabilities["properties"],
): Properties {
  const { form, popup, forms } = settings;
  // The field may have been removed from its form since the signup.
  const fields = [formOf(settings, record.form), form, popup, ...forms.forms].flatMap((each) =>
    each?.fields ?? []
  );
  return Object.fromEntries(
    Object.entries(record.fields ?? {}).map(([name, value]) => {
      const field = fields.find((field) => field.name === name);
      const own = field && store && store.own?.[field.kind as "firstName"];
      return [field?.provider || own || name, typeof value === "number" ? value : fieldText(value)];
    }),
  );
}
