/** The newsletter form of Mozilla's design system, and the route of Mozilla's newsletter service that it calls. */
import { createRequire } from "node:module";
import { dirname } from "node:path";
import dependencies from "../deno.json" with { type: "json" };
import { compressed, type Peer, servePeer } from "./peer.ts";

const FOLDER = dirname(createRequire(import.meta.url).resolve("@mozilla-protocol/core/package.json"));

/** The element IDs, names and classes that the form's script and styles use, with the fields that it requires. */
const FORM =
  `<link rel="stylesheet" href="/protocol.css"><link rel="stylesheet" href="/protocol-components.css">
<aside class="mzp-c-newsletter">
  <form id="newsletter-form" class="mzp-c-newsletter-form" action="/news/subscribe/" method="post">
    <input type="hidden" name="source_url" value="https://shop.example/">
    <input type="hidden" id="id_lang" name="lang" value="en">
    <h3 class="mzp-c-newsletter-title">Newsletter</h3>
    <fieldset class="mzp-c-newsletter-content">
      <div class="mzp-c-form-errors hidden" id="newsletter-errors"><ul class="mzp-u-list-styled">
        <li class="error-email-invalid hidden">Enter an email address</li>
        <li class="error-privacy-policy hidden">Agree to the privacy notice</li>
        <li class="error-try-again-later hidden">Try again later</li>
      </ul></div>
      <label for="id_email">Email</label>
      <input type="email" id="id_email" name="email" required class="mzp-js-email-field">
      <div id="newsletter-details" class="mzp-c-newsletter-details">
        <input type="checkbox" name="newsletters" value="shop" checked hidden>
        <label class="mzp-u-inline"><input type="checkbox" name="privacy" required> I agree to the notice</label>
      </div>
      <p class="mzp-c-form-submit"><button type="submit" class="mzp-c-button" id="newsletter-submit">Subscribe</button></p>
    </fieldset>
  </form>
  <div id="newsletter-thanks" class="mzp-c-newsletter-thanks hidden"><h3>Confirm your subscription</h3></div>
</aside>
<script src="/newsletter.js"></script><script>MzpNewsletter.init()</script>`;

/** Removes fonts, which a page has whether or not it has a form. */
const withoutFonts = (css: string) => css.replace(/@font-face\s*\{[^}]*\}/g, "");

export async function startMozilla(): Promise<Peer> {
  const read = (file: string) => Deno.readTextFile(`${FOLDER}/protocol/${file}`);
  const style = async (file: string) => compressed(withoutFonts(await read(`css/${file}`)), "text/css");
  return servePeer(
    {
      name: dependencies.imports["@mozilla-protocol/core"].replace("npm:", ""),
      signupPath: "/news/subscribe/",
      submitKeys: ["Tab", "Space", "Enter"],
    },
    () => FORM,
    {
      "/protocol.css": await style("protocol.css"),
      "/protocol-components.css": await style("protocol-components.css"),
      "/newsletter.js": compressed(await read("js/newsletter.js"), "text/javascript"),
      "/news/subscribe/": () => Response.json({ status: "ok" }),
    },
  );
}
