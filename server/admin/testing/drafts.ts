import type { FormDesign } from "../../../shared/design/tokens.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { POPUP } from "../../settings/forms/all_forms.ts";
import type { DraftedId } from "../../settings/forms/form_drafts.ts";
import type { PartialSettings } from "../../settings/schema/schema.ts";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";

/** What an action answers to a script. */
export interface Answer {
  status: number;
  code?: string;
  message: string;
  fields?: Record<string, string>;
}

/** A form named `footer`, or the popup, and what its page sends. */
export interface DraftWorld {
  app: AdminHarness;
  admin: SignedIn;
  id: DraftedId;
  /** Path of the page, in a language if one is given. */
  page(locale?: string): string;
  html(locale?: string): Promise<string>;
  /** Returns the version of the draft in the page's form. */
  shownVersion(): Promise<string>;
  run(action: string, fields: Record<string, string>): Promise<Answer>;
  /** Sends the settings, with the version of the draft. */
  save(fields: Record<string, string>, draftVersion?: string): Promise<Answer>;
  /** Sends the texts in German. */
  saveTexts(fields: Record<string, string>, draftVersion?: string): Promise<Answer>;
  /** Sends the form with the image, as a browser does. */
  upload(fields: Record<string, string | Uint8Array<ArrayBuffer>>, draftVersion?: string): Promise<Response>;
  removeImage(fields: Record<string, string>): Promise<Answer>;
  discard(): Promise<Answer>;
  published(): { heading?: string | undefined; design?: FormDesign | undefined };
  /** Returns the form's own texts in German, as they are published. */
  publishedTexts(): Record<string, unknown> | undefined;
  /** Returns what pages get, or what the preview shows. */
  shown(where: "pages" | "preview", locale: string): Promise<PublicSettings["popup"]>;
}

const others = { texts: { button: "Los" }, forms: [{ name: "other", heading: "Andere" }] };
/** Texts in German of a form named `footer`, of another form, of the popup and of all forms. */
export const german = {
  form: {
    locales: {
      de: {
        ...others,
        forms: [{ name: "footer", heading: "Alt" }, ...others.forms],
        popup: { heading: "Alt" },
      },
    },
  },
};

/** What the button that saves a draft sends. */
export const DRAFT = { "b:draft": "true" };

export async function draftWorld(
  id: DraftedId,
  settings: PartialSettings = {},
): Promise<DraftWorld & AsyncDisposable> {
  const app = await adminHarness();
  const { settings: store } = app.services;
  const isPopup = id.name === POPUP;
  if (isPopup) await store.save("popup", { enabled: true, heading: "Old", ...settings.popup });
  else await store.save("forms", settings.forms ?? { forms: [{ name: "footer", heading: "Old" }] });
  if (settings.form) await store.save("form", settings.form);
  const admin = await app.signIn();
  const named: Record<string, string> = isPopup ? {} : { form: "footer" };
  const page = (locale = "") => {
    const query = new URLSearchParams({ ...named, ...(locale && { locale }) });
    return `${isPopup ? "/popup" : "/form-settings"}${query.size > 0 ? `?${query}` : ""}`;
  };
  const html = async (locale?: string) => (await admin.page(page(locale))).html;
  const shownVersion = async () => / name="draftVersion" value(?:="([^"]*)")?/.exec(await html())?.[1] ?? "";
  const run = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, fields, { accept: "application/json" });
    return { status: response.status, ...await response.json() };
  };
  const send = async (action: string, fields: Record<string, string>, seen?: string) =>
    await run(action, { ...named, draftVersion: seen ?? await shownVersion(), ...fields });
  const owner = { of: isPopup ? "popup" : "form", ...named };
  const published = () => {
    const { forms: { forms }, popup } = store.current();
    return isPopup ? popup : forms[0]!;
  };
  return {
    app,
    admin,
    id,
    page,
    html,
    shownVersion,
    run,
    save: (fields, seen) => send(isPopup ? "cfbe_save_popup" : "cfbe_edit_form", fields, seen),
    saveTexts: (fields, seen) => send("cfbe_save_form_texts", { locale: "de", ...fields }, seen),
    async upload(fields, seen) {
      const action = "cfbe_save_form_image";
      const body = new FormData();
      const all = {
        action,
        _page: page(),
        place: "left",
        ...owner,
        draftVersion: seen ?? await shownVersion(),
        ...fields,
      };
      for (const [name, value] of Object.entries(all)) {
        if (typeof value === "string") body.append(name, value);
        else body.append(name, new Blob([value]), "photo.jpg");
      }
      return await app.fetch(admin.actionUrl(action, { path: "/upload" }), {
        method: "POST",
        body,
        headers: { cookie: admin.cookie },
      });
    },
    removeImage: (fields) => send("cfbe_remove_form_image", { ...owner, ...fields }),
    discard: () => run("cfbe_discard_form_draft", named),
    published,
    publishedTexts() {
      const { popup, forms } = store.current().form.locales["de"] ?? {};
      return isPopup ? popup : forms?.find(({ name }) => name === "footer");
    },
    async shown(where, locale) {
      const query = new URLSearchParams({ locale, ...(isPopup ? { popup: "" } : { form: "footer" }) });
      const path = where === "pages" ? `/cfbe.json?locale=${locale}` : `/admin/preview?${query}`;
      const response = await app.fetch(path, { headers: { cookie: admin.cookie } });
      const text = await response.text();
      const json = where === "pages"
        ? text
        : /<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(text)![1]!;
      const settings = JSON.parse(json) as PublicSettings;
      return (isPopup ? settings.popup : settings.forms["footer"]) as PublicSettings["popup"];
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}
