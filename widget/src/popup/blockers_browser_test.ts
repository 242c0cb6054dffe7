import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { heldBackBy, isOpen, openPage, shown, waitInVain, why } from "../testing/popup.ts";
import { browserTest } from "../testing/site.ts";
import type { PopupBlocker } from "../types.ts";

interface Obstacle {
  what: string;
  name: PopupBlocker;
  put(page: Page): Promise<unknown>;
  take(page: Page): Promise<unknown>;
}

const append = (markup: string) => (page: Page) =>
  page.evaluate((markup) => document.body.insertAdjacentHTML("beforeend", markup), markup);
const remove = (selector: string) => (page: Page) =>
  page.evaluate((selector) => document.querySelector(selector)!.remove(), selector);

/** One of each kind: for alone, and in pairs. */
const KINDS: Obstacle[] = [
  {
    what: "a cookie bar",
    name: "cookie-bar",
    // As most come: laid out freely in an element that has no size.
    put: append(`<div id=cookies><p style="position:fixed;inset:auto 0 0">We use cookies</p></div>`),
    take: (page) =>
      page.evaluate(() => document.querySelector("#cookies")!.setAttribute("style", "display:none")),
  },
  {
    what: "a dialog by its role",
    name: "dialog",
    put: append(`<div id=host role=dialog aria-modal=true style="position:fixed;inset:0">Choose</div>`),
    take: (page) => page.evaluate(() => document.querySelector("#host")!.className = "gone"),
  },
  {
    what: "an inline form on screen",
    name: "inline-form",
    put: append(`<cfbe-form id=inline form=footer style="position:fixed;top:0"><p>Subscribe</p></cfbe-form>`),
    take: remove("#inline"),
  },
  {
    what: "a field with focus",
    name: "field",
    put: (page) =>
      append(`<textarea id=field></textarea>`)(page).then(() =>
        page.evaluate(() => document.querySelector<HTMLElement>("#field")!.focus())
      ),
    take: (page) => page.evaluate(() => document.querySelector<HTMLElement>("#field")!.blur()),
  },
];

const OTHERS: Obstacle[] = [
  {
    what: "a native dialog",
    name: "dialog",
    put: (page) =>
      append(`<dialog id=host>Choose a size <button id=close>Close</button></dialog>`)(page).then(() =>
        page.evaluate(() => document.querySelector<HTMLDialogElement>("#host")!.showModal())
      ),
    take: (page) => page.evaluate(() => document.querySelector<HTMLDialogElement>("#host")!.close()),
  },
  {
    what: "a dialog in a shadow root within a shadow root",
    name: "dialog",
    put: (page) =>
      page.evaluate(() => {
        const host = document.body.appendChild(document.createElement("div"));
        const inner = host.attachShadow({ mode: "open" }).appendChild(document.createElement("div"));
        const dialog = inner.attachShadow({ mode: "open" }).appendChild(document.createElement("dialog"));
        dialog.append("Choose a size");
        dialog.showModal();
        Object.assign(globalThis, { closeInner: () => dialog.close() });
      }),
    take: (page) => page.evaluate("closeInner()"),
  },
  {
    what: "an alert by its role",
    name: "dialog",
    put: append(`<div id=host role=alertdialog style="position:fixed;top:0">Your session ends</div>`),
    take: (page) => page.evaluate(() => document.querySelector("#host")!.className = "gone"),
  },
  {
    what: "a dialog by its role that covers most of the screen",
    name: "dialog",
    // The element with the role is often a wrapper without a size.
    put: append(`<div id=host role="dialog"><p style="position:fixed;inset:0 0 40%">Choose</p></div>`),
    take: (page) => page.evaluate(() => document.querySelector("#host")!.className = "gone"),
  },
  {
    what: "a cookie bar that slides away",
    name: "cookie-bar",
    put: append(`<p id=cookies style="position:fixed;bottom:0;transition:transform 1s">We use cookies</p>`),
    take: (page) =>
      page.evaluate(() =>
        document.querySelector("#cookies")!.setAttribute("style", "position:fixed;top:100%")
      ),
  },
  {
    what: "a field with focus in a shadow root",
    name: "field",
    put: (page) =>
      page.evaluate(() => {
        const host = document.body.appendChild(document.createElement("div"));
        const input = host.attachShadow({ mode: "open" }).appendChild(document.createElement("input"));
        Object.assign(globalThis, { field: input });
        input.focus();
      }),
    take: (page) => page.evaluate("field.blur()"),
  },
  {
    what: "an own-markup form on screen",
    name: "inline-form",
    put: append(`<form id=own data-cfbe-form><input name=email></form>`),
    take: (page) => page.evaluate(() => document.querySelector<HTMLElement>("#own")!.style.display = "none"),
  },
];

const STYLE = { head: `<style>.gone{visibility:hidden}</style><script async src="SCRIPT"></script>` };

for (const { what, name, put, take } of [...KINDS, ...OTHERS]) {
  browserTest(`${what} holds the popup back for as long as it is there`, async () => {
    await using site = await openPage("", {}, STYLE);
    const { page } = site;
    await put(page);
    await heldBackBy(page, name);
    await waitInVain(page);
    assert.equal(await isOpen(page), false);
    await take(page);
    await shown(page);
    assert.deepEqual(site.said, []);
  });
}

for (const [i, one] of KINDS.entries()) {
  for (const other of KINDS.slice(i + 1)) {
    browserTest(`${one.what} and ${other.what} both have to go`, async () => {
      await using site = await openPage("", {}, STYLE);
      const { page } = site;
      for (const { put } of [one, other]) await put(page);
      await heldBackBy(page, one.name, other.name);
      await one.take(page);
      await heldBackBy(page, other.name);
      await waitInVain(page);
      assert.equal(await isOpen(page), false);
      await other.take(page);
      await shown(page);
    });
  }
}

browserTest("what comes while the code is on its way is seen at the last moment", async () => {
  await using site = await openPage("", {}, STYLE);
  const { page } = site;
  await page.route(/\/cfbe\/popup-/, async (route) => {
    await KINDS[0]!.put(page);
    await route.continue();
  });
  await heldBackBy(page, "cookie-bar");
  await waitInVain(page);
  assert.equal(await isOpen(page), false);
  await KINDS[0]!.take(page);
  await shown(page);
});

for (
  const [what, markup] of [
    ["an element", "<cfbe-form id=late form=footer></cfbe-form>"],
    ["a stand-in", "<div id=late data-cfbe-form=footer></div>"],
  ] as const
) {
  browserTest(`${what} on screen holds the popup back before its code has given it a size`, async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await using site = await openPage(markup, {}, {
      before: (page) => page.route(/\/cfbe\/form-/, async (route) => (await held, await route.continue())),
    });
    const { page } = site;
    await heldBackBy(page, "inline-form");
    release();
    await page.locator("#late input[name=email]").waitFor();
    await waitInVain(page);
    assert.equal(await isOpen(page), false);
    await remove("#late")(page);
    await shown(page);
  });
}

browserTest("a form that is not displayed, or begins where the screen ends, is no obstacle", async () => {
  await using site = await openPage(
    `<cfbe-form style="display:none"></cfbe-form><div hidden><cfbe-form></cfbe-form></div>
    <cfbe-form style="position:absolute;top:100vh"></cfbe-form>
    <div data-cfbe-form style="position:absolute;bottom:100%"></div>`,
  );
  await shown(site.page);
});

browserTest("dialogs and bars that are there without being seen are no obstacle", async () => {
  const body = `<div aria-modal=true hidden>Menu</div><p id=cookies style="visibility:hidden">Cookies</p>
    <dialog>Choose</dialog><div id=cookies style="opacity:0">Cookies</div><p role=alertdialog hidden>Alert</p>
    <div role=dialog style="position:fixed;inset:0;transform:translateX(-100%)">Menu</div>`;
  await using site = await openPage(body, {}, STYLE);
  await shown(site.page);
});

browserTest(
  "a dialog by its role that leaves most of the screen free, such as a chat, is no obstacle",
  async () => {
    const chat = `<div role=dialog style="position:fixed;inset:51% 0 0">How can we help?</div>`;
    await using site = await openPage(chat, {}, STYLE);
    await shown(site.page);
  },
);

browserTest("a selector that is none is told of once, and blocks nothing", async () => {
  await using site = await openPage("", { cookieBarSelector: "#cookies:::" }, STYLE);
  await shown(site.page);
  assert.equal(site.said.length, 1);
  assert.match(site.said[0]!, /^\[cfbe\] not a selector: #cookies:::/);
  await why(site.page);
  assert.equal(site.said.length, 1);
});
