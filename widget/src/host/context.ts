import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { FormDetail } from "../types.ts";

/** The parts of the widget that are loaded when they are needed. */
export interface Parts {
  checkout: typeof import("../checkout/entry.ts");
  doubt: typeof import("../loader/doubt.ts");
  form: typeof import("../form/entry.tsx");
  headless: typeof import("../signup/headless.ts");
  layout: typeof import("../layout/entry.ts");
  mail: typeof import("../form/mail_domains.ts");
  marks: typeof import("../own/marks.ts");
  own: typeof import("../own/entry.ts");
  popup: typeof import("../popup/dialog.ts");
  rules: typeof import("../popup/entry.ts");
}
export type Load = <Name extends keyof Parts>(name: Name) => Promise<Parts[Name]>;

/**
 * Asks the server, and asks again for a while when nobody is there, or a gateway in front of it says so: a visitor
 * doesn't notice that it is being replaced. Rejects when there is no network, or no answer.
 *
 * @param path below the server's root
 * @returns the status, and what came as JSON; it may be anybody's
 */
export type Ask = (path: string, init?: RequestInit) => Promise<[status: number, json?: unknown]>;

/** What the loader hands to the parts that it loads. */
export interface Context {
  /** Address of the server's root, without a slash at the end. */
  readonly base: string;
  readonly load: Load;
  readonly ask: Ask;
  /** `data-storage` of the script tag; `auto` unless it says otherwise. */
  readonly storage: string;
  /** Whether somebody has subscribed on this page. */
  subscribed?: boolean;
  /** The server's settings, fetched once for each locale. */
  settings(locale: string): Promise<PublicSettings>;
  /** Fetches a fill-time token for a form, past any cache. One whose name is unknown is told to the page's author. */
  token(form: FormDetail & { unknown?: boolean }): Promise<string>;
  /** The locale of the texts for a place in the page. */
  localeOf(element: Element): string;
}
