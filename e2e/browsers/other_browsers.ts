/** Browsers that Playwright brings no build of for every system, driven by their own protocols: Firefox and WebKit. */
import { join } from "node:path";
import puppeteer, { type ElementHandle, type KeyInput } from "puppeteer-core";
// @ts-types="./selenium_webdriver.d.ts"
import { Builder, Key, type WebElement } from "selenium-webdriver";
import { freePort } from "../../dev/free_port.ts";
import type { Package } from "../debian_packages.ts";
import { connectTo, findCommand, startProcess } from "../process.ts";
import { ALL } from "./looks.ts";

const FIREFOX = "/usr/bin/firefox-esr";
/** WebKitGTK's own browser, in its folder of this machine's architecture. */
const MINI_BROWSER = `/usr/lib/${Deno.build.arch}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;
const DEFAULT: View = { width: 1280, height: 800, colorScheme: "light", scrollBars: "overlay" };
/** X derives a port from the number of a screen, even if it does not listen on it. */
const MOST_SCREENS = 50_000;

/** The window of a browser and its settings. WebKit's address bar is part of the height. */
export interface View {
  width: number;
  height: number;
  colorScheme: "light" | "dark";
  /** Whether the scroll bars of pages take up space. */
  scrollBars: "overlay" | "classic";
}

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

const firstOf = (selector: string) => `(() => { ${ALL} return all(${JSON.stringify(selector)})[0]; })()`;

/** Starts Firefox without a window. */
async function openFirefox(view: Partial<View> = {}): Promise<OtherPage> {
  const { width, height, colorScheme, scrollBars } = { ...DEFAULT, ...view };
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: FIREFOX,
    headless: true,
    defaultViewport: { width, height },
    extraPrefsFirefox: {
      "layout.css.prefers-color-scheme.content-override": colorScheme === "dark" ? 0 : 1,
      "ui.useOverlayScrollbars": scrollBars === "overlay" ? 1 : 0,
    },
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

/** Shrinks WebKitGTK's own bars. As they are, no window is narrower than 447 pixels. */
const NARROW_BARS =
  "* { min-width: 0; padding: 0; border-width: 0; font-size: 1px; -gtk-icon-transform: scale(0.1) }";

/** Starts WebKitGTK's browser on a screen of its own, which nobody sees. */
async function openWebKit(view: Partial<View> = {}): Promise<OtherPage> {
  const { width, height, colorScheme, scrollBars } = { ...DEFAULT, ...view };
  const stack = new AsyncDisposableStack();
  const [screen, port] = [freePort() % MOST_SCREENS, freePort()];
  stack.use(
    await startProcess("Xvfb", {
      args: [`:${screen}`, "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp"],
      ready: () => Deno.stat(`/tmp/.X11-unix/X${screen}`),
    }),
  );
  const config = stack.adopt(await Deno.makeTempDir(), (folder) => Deno.remove(folder, { recursive: true }));
  await Deno.mkdir(join(config, "gtk-3.0"));
  await Deno.writeTextFile(join(config, "gtk-3.0/gtk.css"), NARROW_BARS);
  await Deno.writeTextFile(
    join(config, "gtk-3.0/settings.ini"),
    `[Settings]\ngtk-overlay-scrolling=${scrollBars === "overlay"}\n`,
  );
  stack.use(
    await startProcess("WebKitWebDriver", {
      args: [`--port=${port}`, "--host=127.0.0.1"],
      env: {
        DISPLAY: `:${screen}`,
        GTK_THEME: colorScheme === "dark" ? "Adwaita:dark" : "Adwaita",
        XDG_CONFIG_HOME: config,
      },
      ready: () => connectTo(port),
    }),
  );
  const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities({
    browserName: "MiniBrowser",
    "webkitgtk:browserOptions": { binary: MINI_BROWSER, args: ["--automation"] },
  }).build();
  stack.defer(() => driver.quit());
  await driver.manage().window().setRect({ width, height });
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
