import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { FormDetail, PopupBlocker } from "../types.ts";

/** Parts of the widget that are loaded on demand. */
export interface Parts {
  banners: typeof import("../popup/consent_banners.ts");
  bar: typeof import("../popup/bar.ts");
  beside: typeof import("../popup/beside.ts");
  checkout: typeof import("../checkout/entry.ts");
  countdown: typeof import("../countdown/entry.ts");
  design: typeof import("../design/entry.ts");
  errors: typeof import("../own/field_errors.ts");
  fields: typeof import("../fields/entry.ts");
  form: typeof import("../form/entry.tsx");
  gutter: typeof import("../popup/gutter.ts");
  headless: typeof import("../signup/headless.ts");
  layout: typeof import("../layout/entry.ts");
  mail: typeof import("../form/mail_domains.ts");
  openings: typeof import("../popup/openings.ts");
  page: typeof import("../signup/page.ts");
  own: typeof import("../own/entry.ts");
  placed: typeof import("../popup/placed.ts");
  popup: typeof import("../popup/dialog.ts");
  rules: typeof import("../popup/entry.ts");
  slide: typeof import("../popup/slide.ts");
  steps: typeof import("../steps/entry.ts");
  targeting: typeof import("../popup/targeting.ts");
  token: typeof import("../loader/special_token.ts");
  triggers: typeof import("../popup/triggers.ts");
  variants: typeof import("../experiments/entry.ts");
  visit: typeof import("./visit.ts");
}
export type Load = <Name extends keyof Parts>(name: Name) => Promise<Parts[Name]>;

/**
 * Sends a request to the server. Retries for a few seconds while the server or its gateway is unavailable, so that
 * visitors do not notice a deployment. Rejects without a network connection and on timeout.
 *
 * @param path path below the server's root
 * @returns the status and the JSON body, if there is one. The body may come from a gateway, so it can have any shape
 */
export type FetchJson = (path: string, init?: RequestInit) => Promise<[status: number, json?: unknown]>;

/** Passed from the loader to the parts that it loads. */
export interface Context {
  /** URL of the server's root, without a trailing slash. */
  readonly base: string;
  readonly load: Load;
  readonly fetchJson: FetchJson;
  /** `data-storage` of the script tag; `auto` by default. */
  readonly storage: string;
  /** Whether someone has subscribed on this page. */
  subscribed?: boolean;
  /** Returns why a form in the page is not shown; undefined for others. Absent if there is none. */
  why?(form?: string): PopupBlocker[] | undefined;
  /**
   * Returns the public settings in the first of the locales that has texts. Fetched once for the same locales. Rejects if
   * they cannot be fetched.
   *
   * @param locales separated by commas, preferred first
   * @param form name of a form that has to be in them, if there is one of this name. Others may be missing
   */
  settings(locales: string, form?: string | null): Promise<PublicSettings>;
  /**
   * Fetches a form token, bypassing caches. Warns the developer of the page if the form's name is unknown.
   *
   * @param form its `cfg` tells an experiment which variant the visitor sees
   */
  token(form: FormDetail & { cfg: string; unknown?: boolean }): Promise<string>;
  /** Returns the locales for an element, preferred first: its own, the script's, the page's and the visitor's. */
  locales(element: Element): string;
}
