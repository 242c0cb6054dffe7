/** What a host page is like, as its author sees it: without the widget and with it, nothing of this may differ. */
import type { Page } from "playwright-core";

/** Runs in front of every script of the page: keeps what it is told, and where the layout shifted. */
export const WATCH = `globalThis.watched = { violations: [], events: [], shifted: 0 };
document.addEventListener("securitypolicyviolation", (event) => {
  watched.violations.push(event.violatedDirective + " " + event.blockedURI + " " + event.sample);
});
for (const name of ["ready", "beforeshow", "show", "close", "beforesubmit", "submit", "success", "error"]) {
  document.addEventListener("cfbe-" + name, ({ type, detail }) => watched.events.push({ type, detail }));
}
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) watched.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });`;

export interface Watched {
  violations: string[];
  events: { type: string; detail: { form: string | null; source: string; [key: string]: unknown } }[];
  /** Sum of all layout shifts so far. */
  shifted: number;
}

export const watched = (page: Page): Promise<Watched> => page.evaluate("watched");

/** Reads the page, without what is ours in it. */
export function viewHost(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const OURS = "cfbe-form,[data-cfbe-form],cfbe-popup";
    const shell = (element: Element) => (element.cloneNode(false) as Element).outerHTML;
    const boxes = [...document.body.querySelectorAll("*")].filter((element) => !element.closest(OURS)).map(
      (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const { color, font, display, position, overflow } = getComputedStyle(element);
        return [shell(element), x, y, width, height, color, font, display, position, overflow].join(" ");
      },
    );
    const natives: [object, string][] = [
      [globalThis, "fetch"],
      [globalThis, "setTimeout"],
      [globalThis, "Promise"],
      [history, "pushState"],
      [history, "replaceState"],
      [EventTarget.prototype, "addEventListener"],
      [Element.prototype, "attachShadow"],
      [Node.prototype, "appendChild"],
      [customElements, "define"],
      [XMLHttpRequest.prototype, "open"],
    ];
    const native = ([target, name]: [object, string]) =>
      /\[native code\]/.test(String(Reflect.get(target, name)));
    return {
      boxes,
      html: shell(document.documentElement),
      body: shell(document.body),
      head: document.head.innerHTML,
      sheets: document.adoptedStyleSheets.length,
      globals: Object.getOwnPropertyNames(globalThis).filter((name) => name !== "cfbe").sort(),
      patched: natives.filter((entry) => !native(entry)).map(([, name]) => name),
      focus: document.activeElement && shell(document.activeElement),
      scrolled: [scrollX, scrollY],
      title: document.title,
      history: history.length,
      cookies: origin === "null" ? "" : document.cookie,
    };
  });
}
