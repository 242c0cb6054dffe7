/** A page with our form, as the admin's snippet embeds it, and the server. */
import { snippetsFor } from "../../server/admin/forms/snippets.ts";
import type { PartialSettings } from "../../server/settings/schema/schema.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { startProgram } from "../../dev/testing/program.ts";
import { type Peer, servePeer } from "./peer.ts";

interface Options {
  name?: string;
  /** The snippet that the page has. */
  snippet?: "html" | "own";
  /** Whether the page is on an allowed origin. If not, any page may have the form. */
  hasOrigins?: boolean;
  /** Changes the snippet. */
  change?: (html: string) => string;
  settings?: PartialSettings;
}

export async function startCfbe(
  { name = "cfbe", snippet = "html", hasOrigins = false, change = (html) => html, settings = {} }: Options =
    {},
): Promise<Peer> {
  let html = "";
  const page = servePeer({ name, signupPath: `${NAMESPACE}/subscribe`, submitKeys: ["Enter"] }, () => html);
  const program = await startProgram({
    file: {
      settings: {
        forms: { forms: [{ name: "footer" }] },
        general: { origins: hasOrigins ? [new URL(page.url).origin] : [] },
        ...settings,
      },
    },
  });
  const current = program.services.settings.current();
  html = change(snippetsFor(program.baseUrl, current.forms.forms[0]!, current, ["en"], Date.now())[snippet]);
  return {
    ...page,
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]();
      await program[Symbol.asyncDispose]();
    },
  };
}
