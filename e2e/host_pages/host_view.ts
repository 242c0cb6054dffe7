/** The state of a host page that the widget must not change. */
import type { Page } from "playwright-core";

/** Script to run before the page's own: records events, policy violations and layout shifts. */
export const RECORD = `globalThis.recorded = { violations: [], events: [], shifted: 0 };
document.addEventListener("securitypolicyviolation", (event) => {
  recorded.violations.push(event.violatedDirective + " " + event.blockedURI + " " + event.sample);
});
for (const name of ["ready", "beforeshow", "show", "close", "beforesubmit", "submit", "success", "error"]) {
  document.addEventListener("cfbe-" + name, ({ type, detail }) => recorded.events.push({ type, detail }));
}
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) recorded.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });`;

export interface Recording {
  violations: string[];
  events: { type: string; detail: { form: string | null; source: string; [key: string]: unknown } }[];
  /** Sum of all layout shifts so far. */
  shifted: number;
}

/** Returns what was recorded on a page. */
export const recorded = (page: Page): Promise<Recording> => page.evaluate("recorded");

/** Returns the state of a page, without the widget's elements. */
export function captureHost(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const WIDGET = "cfbe-form,[data-cfbe-form],cfbe-popup";
    const outerTag = (element: Element) => (element.cloneNode(false) as Element).outerHTML;
    const boxes = [...document.body.querySelectorAll("*")].filter((element) => !element.closest(WIDGET)).map(
      (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const { color, font, display, position, overflow } = getComputedStyle(element);
        return [outerTag(element), x, y, width, height, color, font, display, position, overflow].join(" ");
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
    const isNative = ([target, name]: [object, string]) =>
      /\[native code\]/.test(String(Reflect.get(target, name)));
    return {
      boxes,
      html: outerTag(document.documentElement),
      body: outerTag(document.body),
      head: document.head.innerHTML,
      sheets: document.adoptedStyleSheets.length,
      globals: Object.getOwnPropertyNames(globalThis).filter((name) => name !== "cfbe").sort(),
      patched: natives.filter((entry) => !isNative(entry)).map(([, name]) => name),
      focus: document.activeElement && outerTag(document.activeElement),
      scrolled: [scrollX, scrollY],
      title: document.title,
      history: history.length,
      cookies: origin === "null" ? "" : document.cookie,
    };
  });
}
