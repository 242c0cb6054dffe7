/** A shop with a form of one kind, which opens with the real clock, and the program that the form belongs to. */
import { systemClock } from "../server/platform/deps.ts";
import { keys } from "../server/platform/kv/keys.ts";
import type { PartialSettings } from "../server/settings/schema/schema.ts";
import type { SignupRecord } from "../server/signup/record/row.ts";
import { startProgram, type TestProgram } from "../dev/testing/program.ts";

const opens = (kind: string) => ({ opens: { kind, triggers: { delaySeconds: 1 } } });
const OWN_MARKUP = `<form data-cfbe-form="own"><label>Email address <input name="email" type="email"></label>
  <button>Subscribe</button> <output data-cfbe-message></output></form>`;

/** The settings of a form of each kind, and what its page contains. A form that opens by itself needs no markup. */
const FORMS: Record<string, { form: Record<string, unknown>; markup?: string }> = {
  inline: { form: { layout: "inline" }, markup: `<cfbe-form form="inline"></cfbe-form>` },
  block: { form: { layout: "block" }, markup: `<cfbe-form form="block"></cfbe-form>` },
  promo: { form: { layout: "promo" }, markup: `<div data-cfbe-form="promo"></div>` },
  own: { form: {}, markup: OWN_MARKUP },
  popup: { form: opens("popup") },
  "slide-in": { form: opens("slide-in") },
  "bar-top": { form: opens("bar-top") },
  "bar-bottom": { form: opens("bar-bottom") },
};

export const KINDS = Object.keys(FORMS);

/** Returns whether a form of a kind opens by itself, after a second. */
export const opensByItself = (kind: string): boolean => FORMS[kind]!.markup === undefined;

export interface Shop extends AsyncDisposable {
  program: TestProgram;
  /** The shop's page, on another origin than the program. Its form is named `my-<kind>`. */
  url: string;
}

/**
 * Starts a shop.
 *
 * @param content HTML of its page before the form
 * @param more further settings of the form
 * @param lang language of the page
 */
export async function startShop(
  kind: string,
  content = "<h1>A shop</h1>",
  more: Record<string, unknown> = {},
  lang = "en",
): Promise<Shop> {
  const { form, markup = "" } = FORMS[kind]!;
  const forms = [{ name: `my-${kind}`, ...form, ...more }];
  const settings = { forms: { forms } } as unknown as PartialSettings;
  const program = await startProgram({ clock: systemClock, file: { settings } });
  const html = `<!doctype html><html lang="${lang}"><title>A shop</title><link rel="icon" href="data:,">
    <script async src="${program.baseUrl}/cfbe.js"></script>${content}
    ${markup.replaceAll(`"${kind}"`, `"my-${kind}"`)}</html>`;
  const headers = { "content-type": "text/html" };
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(html, { headers }),
  );
  return {
    program,
    url: `http://127.0.0.1:${server.addr.port}/`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await program[Symbol.asyncDispose]();
    },
  };
}

/** Returns the name of the form through which an email address signed up, or undefined if it did not. */
export async function formOf(
  { services: { kv, settings } }: TestProgram,
  email: string,
): Promise<string | undefined> {
  const key = keys.signup(email, settings.current().general.defaultList);
  return (await kv.get<SignupRecord>(key)).value?.form;
}
