import type { Cfbe } from "../src/types.ts";

/** Attributes of the script tag, such as `{ nonce: "…", "data-locale": "de" }`. */
export type ScriptAttributes = { nonce?: string; [name: `data-${string}`]: string };

/**
 * Promises by script URL. A bundle may contain this module twice, so the script tags of the page are checked as well.
 */
const loading = new Map<string, Promise<Cfbe>>();

/**
 * Adds the widget's script to the page, unless it is already there.
 *
 * Can be called from anywhere and any number of times. On a server it does nothing, and its promise stays pending: do
 * not `await` it there. If the script fails to load, the promise rejects, and the next call tries again.
 *
 * ```ts
 * const cfbe = await loadCfbe("https://news.example/cfbe.js");
 * cfbe.on("success", ({ detail }) => console.log(detail.form));
 * ```
 *
 * @param url URL of the script
 * @param attributes attributes of the script tag; ignored if the script is already on the page
 * @returns `window.cfbe`, once the script has loaded
 */
export function loadCfbe(url: string, attributes: ScriptAttributes = {}): Promise<Cfbe> {
  // Not stored in `loading`, because a server process is shared by many requests.
  if (typeof document === "undefined") return new Promise(() => {});
  let cfbe = loading.get(url);
  if (!cfbe) {
    loading.set(url, cfbe = load(new URL(url, document.baseURI).href, attributes));
    cfbe.catch(() => loading.delete(url));
  }
  return cfbe;
}

function load(src: string, attributes: ScriptAttributes): Promise<Cfbe> {
  return new Promise((resolve, reject) => {
    // `window.cfbe` may also be an element of the page with that id.
    if (!self.cfbe || !("push" in self.cfbe)) self.cfbe = [];
    self.cfbe.push(resolve);
    if ("subscribe" in self.cfbe) return;
    // Reuses the page's own script tag. Trusted Types may forbid creating one.
    const script = [...document.scripts].find((script) => script.src === src) ?? insert(src, attributes);
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error(`[cfbe] could not load ${src}`));
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
