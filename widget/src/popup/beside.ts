/** Keeps a slide-in or bar out of the way of the page beside it. Loaded with either. */
import css from "./compact.css?inline" with { type: "text" };
import { WHILE_OPEN } from "./while_open.ts";

/** Windows lower than this show only the heading and the button. */
const LOW_WINDOW = "(max-height: 399.9px)";

/** A slide-in or bar that is open. */
interface OpenPanel {
  /** The element in the page that contains it. */
  host: HTMLElement;
  panel: HTMLElement;
  form: HTMLElement;
  /** The edge of the window that it covers. */
  edge: "top" | "bottom";
  /** Whether the visitor asked for it. */
  requested: boolean;
  close(reason: "escape"): void;
  /** Removes everything that this file adds to the page. */
  signal: AbortSignal;
}

/** More than what a scroll bar and browser zoom, which leaves fractions of pixels, take from the height of the window. */
const TOLERANCE = 20;

/**
 * Adds a panel to the page: to its body, or beside a body whose transform or filter would scroll fixed elements with the page.
 *
 * @param probe a fixed element of the panel at the lower edge of the window
 */
export function addToPage(host: HTMLElement, probe: Element): void {
  document.body.append(host);
  const { bottom } = probe.getBoundingClientRect();
  if (Math.abs(bottom - innerHeight) > TOLERANCE) document.documentElement.append(host);
}

/** Keeps an open panel from covering what has the focus, lets Escape close it, and makes it small in a low window. */
export function keepBeside(open: OpenPanel): void {
  makeRoom(open);
  giveWay(open);
  shrink(open);
}

/**
 * Lets the browser scroll the page as if the covered part of the window were not there, and the end of the page to above
 * the panel. Nothing in the page moves by that.
 *
 * Uses a constructed style sheet, because a content security policy may forbid style attributes. Its rule matches only
 * while the panel is in the document, so it has no effect if the page removed the panel.
 */
function makeRoom({ panel, edge, signal }: OpenPanel): void {
  const root = document.documentElement;
  const { paddingBottom, scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(root);
  const own = parseFloat(edge === "top" ? scrollPaddingTop : scrollPaddingBottom) || 0;
  // Padding ends the page only if the root element is as high as the page. Without scroll bars, it would add some.
  const padsEnd = edge === "bottom" && root.offsetHeight > innerHeight &&
    root.offsetHeight >= root.scrollHeight;
  const padding = new CSSStyleSheet();
  document.adoptedStyleSheets.push(padding);
  const observer = new ResizeObserver(() => {
    const { offsetTop, offsetHeight } = panel;
    // An ad blocker may hide it.
    const covered = offsetHeight && (edge === "top" ? offsetTop + offsetHeight : innerHeight - offsetTop);
    const atEnd = padsEnd ? `;padding-bottom:${parseFloat(paddingBottom) + covered}px!important` : "";
    padding.replaceSync(
      `@media not print{${WHILE_OPEN}{scroll-padding-${edge}:${own + covered}px!important${atEnd}}}`,
    );
  });
  observer.observe(panel);
  signal.addEventListener("abort", () => {
    observer.disconnect();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== padding);
  });
}

/** Returns the element that has the keyboard's focus, also inside shadow roots. */
function focusedElement(): Element | undefined {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused?.matches(":focus-visible") ? focused : undefined;
}

/**
 * Moves the panel out of the window while it would cover what has the focus, which no scrolling can prevent at the start of
 * a page, and below fixed headers. It stays focusable. Escape closes it from there, and from within.
 */
function giveWay({ host, panel, close, signal }: OpenPanel): void {
  let away = false;
  const check = () => {
    const focused = focusedElement();
    const { left, right, top, bottom } = (focused ?? host).getBoundingClientRect();
    const x = (left + right) / 2 - panel.offsetLeft;
    const y = (top + bottom) / 2 - panel.offsetTop;
    away = !!focused && !host.matches(":focus-within") && !document.querySelector(":modal") &&
      x >= 0 && x <= panel.offsetWidth && y >= 0 && y <= panel.offsetHeight;
    panel.classList.toggle("away", away);
  };
  // After the browser has scrolled.
  const checkSoon = () => requestAnimationFrame(check);
  checkSoon();
  for (const name of ["focusin", "focusout", "scroll", "resize"]) {
    addEventListener(name, checkSoon, { signal, capture: true, passive: true });
  }
  addEventListener("keydown", ({ key, isComposing }) => {
    if (key === "Escape" && !isComposing && (away || host.matches(":focus-within"))) close("escape");
  }, { signal, capture: true });
}

let sheet: CSSStyleSheet | undefined;

/** In a low window, shows only the heading and the button, until the visitor uses it. */
function shrink({ form, requested, signal }: OpenPanel): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  const { adoptedStyleSheets } = form.shadowRoot!;
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet);
  const low = matchMedia(LOW_WINDOW);
  let isUsed = requested;
  const update = () => form.toggleAttribute("compact", low.matches && !isUsed);
  update();
  low.addEventListener("change", update, { signal });
  form.addEventListener("click", (event) => {
    if (!form.hasAttribute("compact")) return;
    event.preventDefault();
    isUsed = true;
    update();
    form.shadowRoot!.querySelector("input")!.focus();
  }, { signal, capture: true });
}
