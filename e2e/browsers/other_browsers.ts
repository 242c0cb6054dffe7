/** Browsers that Playwright brings no build of for every system, driven by their own protocols: Firefox and WebKit. */
import puppeteer, { type ElementHandle, type KeyInput } from "puppeteer-core";
// @ts-types="./selenium_webdriver.d.ts"
import { Builder, Key, type WebElement } from "selenium-webdriver";
import { freePort } from "../../dev/free_port.ts";
import type { Package } from "../debian_packages.ts";
import { connectTo, findCommand, startProcess } from "../process.ts";

const FIREFOX = "/usr/bin/firefox-esr";
/** WebKitGTK's own browser, in its folder of this machine's architecture. */
const MINI_BROWSER = `/usr/lib/${Deno.build.arch}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;
const WINDOW = { width: 1280, height: 800 };
/** X derives a port from the number of a screen, even if it does not listen on it. */
const MOST_SCREENS = 50_000;

/** A page of the only tab of a browser. */
export interface OtherPage extends AsyncDisposable {
  goto(url: string): Promise<void>;
  /** Evaluates an expression in the page and returns its result, which is JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Clicks the middle of the first element that matches a selector, also in shadow roots. */
  click(selector: string): Promise<void>;
  /** Presses keys, one by one, where the focus is. */
  type(text: string): Promise<void>;
  press(key: "Tab" | "Escape" | "Enter"): Promise<void>;
  /** Returns a picture of the window, as PNG. */
  picture(): Promise<Uint8Array>;
}

/** Defines `all(selector)`, which returns the elements of a page and its open shadow roots, in their order. */
export const ALL =
  `const all = (selector, root = document) => [...root.querySelectorAll("*")].flatMap((element) => [
  ...element.matches(selector) ? [element] : [],
  ...element.shadowRoot ? all(selector, element.shadowRoot) : [],
]);`;

const firstOf = (selector: string) => `(() => { ${ALL} return all(${JSON.stringify(selector)})[0]; })()`;

/** Starts Firefox without a window. */
async function openFirefox(): Promise<OtherPage> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: FIREFOX,
    headless: true,
    defaultViewport: WINDOW,
  });
  // The page that is open at first never has the focus of the window, so that nothing in it matches `:focus-visible`.
  const page = await browser.newPage();
  return {
    goto: async (url) => void await page.goto(url),
    evaluate: (expression) => page.evaluate(expression) as Promise<never>,
    async click(selector) {
      const element = (await page.evaluateHandle(firstOf(selector))).asElement();
      if (!element) throw new Error(`no element matches ${selector}`);
      await (element as ElementHandle<Element>).click();
    },
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key as KeyInput),
    picture: () => page.screenshot(),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Starts WebKitGTK's browser on a screen of its own, which nobody sees. */
async function openWebKit(): Promise<OtherPage> {
  const stack = new AsyncDisposableStack();
  const [screen, port] = [freePort() % MOST_SCREENS, freePort()];
  stack.use(
    await startProcess("Xvfb", {
      args: [`:${screen}`, "-screen", "0", `${WINDOW.width}x${WINDOW.height}x24`, "-nolisten", "tcp"],
      ready: () => Deno.stat(`/tmp/.X11-unix/X${screen}`),
    }),
  );
  stack.use(
    await startProcess("WebKitWebDriver", {
      args: [`--port=${port}`, "--host=127.0.0.1"],
      env: { DISPLAY: `:${screen}` },
      ready: () => connectTo(port),
    }),
  );
  const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities({
    browserName: "MiniBrowser",
    "webkitgtk:browserOptions": { binary: MINI_BROWSER, args: ["--automation"] },
  }).build();
  stack.defer(() => driver.quit());
  await driver.manage().window().setRect(WINDOW);
  const type = (...keys: string[]) => driver.actions().sendKeys(...keys).perform();
  return {
    goto: (url) => driver.get(url),
    evaluate: (expression) => driver.executeScript(`return ${expression}`),
    async click(selector) {
      const element = await driver.executeScript<WebElement | null>(`return ${firstOf(selector)}`);
      if (!element) throw new Error(`no element matches ${selector}`);
      await driver.actions().move({ origin: element }).click().perform();
    },
    type,
    press: (key) => type({ Tab: Key.TAB, Escape: Key.ESCAPE, Enter: Key.ENTER }[key]),
    picture: async () => Uint8Array.fromBase64(await driver.takeScreenshot()),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export const OTHER_BROWSERS = { Firefox: openFirefox, WebKit: openWebKit };

export const PACKAGES: readonly Package[] = [
  ["firefox-esr", () => Deno.stat(FIREFOX)],
  ["webkit2gtk-driver", () => findCommand("WebKitWebDriver")],
  ["libwebkit2gtk-4.1-0", () => Deno.stat(MINI_BROWSER)],
  ["xvfb", () => findCommand("Xvfb")],
];
