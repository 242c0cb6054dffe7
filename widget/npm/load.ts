import type { Cfbe } from "../src/types.ts";

/** Attributes of the script tag, as a page would write them: `{ nonce: "…", "data-locale": "de" }`. */
export type ScriptAttributes = { nonce?: string; [name: `data-${string}`]: string };

/** Copies of this module may be in a bundle twice; what they have in common is the page. */
const known = new Map<string, Promise<Cfbe>>();

/**
 * Puts the widget's script into the page, unless it is there already.
 *
 * May be called from anywhere and as often as you like. On a server it does nothing, and what it returns stays
 * pending: do not wait for it there. When the script can't be had it rejects, and the next call tries again.
 *
 * ```ts
 * const cfbe = await loadCfbe("https://news.example/cfbe.js");
 * cfbe.on("success", ({ detail }) => console.log(detail.form));
 * ```
 *
 * @param url the script's address
 * @param attributes for the script tag; they count when this call is the one that makes it
 * @returns `window.cfbe`, once it is there
 */
export function loadCfbe(url: string, attributes: ScriptAttributes = {}): Promise<Cfbe> {
  // Not kept either: a server's process lives long and serves many.
  if (typeof document === "undefined") return new Promise(() => {});
  let cfbe = known.get(url);
  if (!cfbe) {
    known.set(url, cfbe = load(new URL(url, document.baseURI).href, attributes));
    cfbe.catch(() => known.delete(url));
  }
  return cfbe;
}

function load(src: string, attributes: ScriptAttributes): Promise<Cfbe> {
  return new Promise((resolve, reject) => {
    // It may be an element of the page with that id.
    if (!self.cfbe || !("push" in self.cfbe)) self.cfbe = [];
    self.cfbe.push(resolve);
    if ("subscribe" in self.cfbe) return;
    // One that the page itself has is used as well: under Trusted Types no script could be made here.
    const script = [...document.scripts].find((script) => script.src === src) ?? insert(src, attributes);
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error(`[cfbe] ${src} could not be loaded`));
    }, { once: true });
  });
}

function insert(src: string, attributes: ScriptAttributes): HTMLScriptElement {
  const script = document.createElement("script");
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value!);
  script.async = true;
  script.src = src;
  document.head.append(script);
  return script;
}
