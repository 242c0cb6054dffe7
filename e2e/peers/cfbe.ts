/** Pages with our forms, as the admin's snippets embed them, and the server. */
import { scriptTag, snippetsFor } from "../../server/admin/forms/snippets.ts";
import type { PartialSettings, Settings } from "../../server/settings/schema/schema.ts";
import { NAMESPACE } from "../../shared/contract.ts";
import { startProgram } from "../../dev/testing/program.ts";
import { type Peer, type PeerPage, type PopupPeer, servePeer } from "./peer.ts";

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
  return await serveWith(
    { name, signupPath: `${NAMESPACE}/subscribe`, submitKeys: ["Enter"] },
    (origin) => ({
      forms: { forms: [{ name: "footer" }] },
      general: { origins: hasOrigins ? [origin] : [] },
      ...settings,
    }),
    (baseUrl, current) =>
      change(snippetsFor(baseUrl, current.forms.forms[0]!, current, ["en"], Date.now())[snippet]),
  );
}

const CLOSE = "[part=close]";

/** A form that opens by itself after 20 seconds, which no visit waits for, or by a button of the page. */
export const startCfbePopup = (): Promise<PopupPeer> =>
  serveWith(
    { name: "cfbe, popup", close: CLOSE },
    () => ({ popup: { enabled: true } }),
    (baseUrl) => `${scriptTag(baseUrl)}<button data-cfbe-open>Subscribe</button>`,
  );

/** The same as a slide-in. */
export const startCfbeSlideIn = (): Promise<PopupPeer> =>
  serveWith(
    { name: "cfbe, slide-in", close: CLOSE },
    () => ({ forms: { forms: [{ name: "corner", opens: { kind: "slide-in" } }] } }),
    (baseUrl) => `${scriptTag(baseUrl)}<button data-cfbe-open="corner">Subscribe</button>`,
  );

/**
 * Starts the server, and a page that embeds a form of it.
 *
 * @param settingsFor settings, given the page's origin
 * @param markup the page's markup, given the server's public URL
 */
async function serveWith<P extends { name: string }>(
  peer: P,
  settingsFor: (origin: string) => PartialSettings,
  markup: (baseUrl: string, current: Settings) => string,
): Promise<P & PeerPage> {
  let html = "";
  const page = servePeer(peer, () => html);
  const program = await startProgram({ file: { settings: settingsFor(new URL(page.url).origin) } });
  html = markup(program.baseUrl, program.services.settings.current());
  return {
    ...page,
    async [Symbol.asyncDispose]() {
      await page[Symbol.asyncDispose]();
      await program[Symbol.asyncDispose]();
    },
  };
}
