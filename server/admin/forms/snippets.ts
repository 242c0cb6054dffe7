import { noHeightRule, reservedHeightRule } from "../../../shared/reserved_height.ts";
import { VERSION } from "../../../shared/version.ts";
import { settingsOfForm } from "../../settings/forms/form_settings.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { acceptedLocales } from "../../platform/http/visitor/accepted_locales.ts";
import { heightsOfForm } from "../../forms/public/heights_of_form.ts";
import { fieldsMarkup } from "./field_markup.ts";
import type { View } from "../frame/view.ts";

/** The snippets that embed a form, by where they are pasted. */
export interface FormSnippets {
  html: string;
  own: string;
  react: string;
  /** Shell command that installs the package that `react` imports. */
  reactInstall: string;
  wordpress: string;
  /**
   * CSS that reserves the height of the form, or none if the form may stay hidden. It is part of `html`, and belongs to
   * `react`.
   */
  css: string;
  /** The same for the plugin, whose forms are in a column that CSS can measure. */
  wordpressCss: string;
}

type Form = Settings["forms"]["forms"][number];

/** Parts of the widget that a layout needs. */
const LAYOUT_PARTS: Record<Form["layout"], string[]> = {
  inline: [],
  block: ["layout"],
  promo: ["layout", "rules"],
};

/** Returns the attribute with the parts that a form needs. The page names them, so that they load beside the settings. */
function preloadOf(form: Form, hasFields: boolean): string {
  const parts = new Set([
    ...LAYOUT_PARTS[form.layout],
    ...(form.targeting.length > 0 ? ["placed", "rules", "targeting"] : []),
    ...(hasFields ? ["fields"] : []),
  ]);
  return parts.size > 0 ? ` preload="${[...parts].join(" ")}"` : "";
}

/**
 * Returns the tag that loads the widget, which every page with a form or the popup needs.
 *
 * @param query names the form of the page, whose code and settings are then in the script
 */
export function scriptTag(baseUrl: string, query = ""): string {
  return `<script async src="${baseUrl}/cfbe.js${query}"></script>`;
}

/**
 * Returns the snippets of a form.
 *
 * @param baseUrl public URL of cfbe
 * @param locales languages for which the snippets reserve enough height
 * @param now from when on they do, because a countdown gets shorter; Unix milliseconds
 */
export function snippetsFor(
  baseUrl: string,
  form: Form,
  settings: Settings,
  locales: readonly string[],
  now: number,
): FormSnippets {
  const page = `${baseUrl}/form/${form.name}`;
  const shown = settingsOfForm(settings, { name: form.name }, locales.slice(0, 1));
  // The code of the fields also orders them.
  const hasFields = shown.fields.length > 0 || shown.order.length > 0;
  const preload = preloadOf(form, hasFields);
  const selector = `cfbe-form[form="${form.name}"]`;
  const heights = heightsOfForm(settings, { name: form.name }, locales, now);
  const cssFor = (inColumn: boolean) =>
    form.targeting.length > 0 ? noHeightRule(selector) : reservedHeightRule(selector, heights, inColumn);
  const css = cssFor(false);
  return {
    html: `${scriptTag(baseUrl, `?form=${form.name}`)}
<style>
${css}
</style>

<cfbe-form form="${form.name}"${preload}><a href="${page}">Subscribe</a></cfbe-form>`,
    own: `${scriptTag(baseUrl, `?own=${form.name}`)}

<form data-cfbe-form="${form.name}" action="${page}" method="post">${
      fieldsMarkup(shown).map((line) => `\n  ${line}`).join("")
    }
  <button>Subscribe</button> <output data-cfbe-message></output>
</form>`,
    react: `import { CfbeForm } from "cfbe/react";

<CfbeForm src="${baseUrl}/cfbe.js" form="${form.name}"${preload}>
  <a href="${page}">Subscribe</a>
</CfbeForm>`,
    reactInstall: `npm install ./cfbe-${VERSION}.tgz`,
    wordpress: `[cfbe_form form="${form.name}"${hasFields ? ' fields="1"' : ""}]`,
    css,
    wordpressCss: cssFor(true),
  };
}

/**
 * Returns the languages that a site's pages probably have: English, those with texts in the settings, and the one
 * that the admin's user prefers.
 */
export function snippetLocales({ app, request }: Pick<View, "app" | "request">): string[] {
  const own = Object.keys(app.settings.current().form.locales);
  return ["en", ...own, ...acceptedLocales(request.headers.get("accept-language")).slice(0, 1)];
}
