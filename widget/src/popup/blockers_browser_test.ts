import { hashOf } from "../../../shared/text_hash.ts";
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Condition } from "../../../shared/targeting.ts";
import { isOpen, openPage, waitForBlockers, waitForPopup, waitPastTriggers, why } from "../testing/popup.ts";
import { browserTest } from "../testing/site.ts";
import type { PopupBlocker } from "../types.ts";

const NOWHERE: Condition = { kind: "path", match: "is", value: "/nowhere" };

interface Blocker {
  what: string;
  name: PopupBlocker;
  add(page: Page): Promise<unknown>;
  remove(page: Page): Promise<unknown>;
}

const append = (markup: string) => (page: Page) =>
  page.evaluate((markup) => document.body.insertAdjacentHTML("beforeend", markup), markup);
const removeElement = (selector: string) => (page: Page) =>
  page.evaluate((selector) => document.querySelector(selector)!.remove(), selector);

/** One blocker of each kind, tested alone and in pairs. */
const KINDS: Blocker[] = [
  {
    what: "a cookie banner",
    name: "cookie-bar",
    // Like most cookie banners: a positioned child of an element without a size.
    add: append(`<div id=cookies><p style="position:fixed;inset:auto 0 0">We use cookies</p></div>`),
    remove: (page) =>
      page.evaluate(() => document.querySelector("#cookies")!.setAttribute("style", "display:none")),
  },
  {
    what: "a modal dialog with a role",
    name: "dialog",
    add: append(`<div id=host role=dialog aria-modal=true style="position:fixed;inset:0">Choose</div>`),
    remove: (page) => page.evaluate(() => document.querySelector("#host")!.className = "gone"),
  },
  {
    what: "an inline form on screen",
    name: "inline-form",
    add: append(`<cfbe-form id=inline form=footer style="position:fixed;top:0"><p>Subscribe</p></cfbe-form>`),
    remove: removeElement("#inline"),
  },
  {
    what: "a field with focus",
    name: "field",
    add: (page) =>
      append(`<textarea id=field></textarea>`)(page).then(() =>
        page.evaluate(() => document.querySelector<HTMLElement>("#field")!.focus())
      ),
    remove: (page) => page.evaluate(() => document.querySelector<HTMLElement>("#field")!.blur()),
  },
];

const OTHERS: Blocker[] = [
  {
    what: "a native dialog",
    name: "dialog",
    add: (page) =>
      append(`<dialog id=host>Choose a size <button id=close>Close</button></dialog>`)(page).then(() =>
        page.evaluate(() => document.querySelector<HTMLDialogElement>("#host")!.showModal())
      ),
    remove: (page) => page.evaluate(() => document.querySelector<HTMLDialogElement>("#host")!.close()),
  },
  {
    what: "a dialog in a shadow root within a shadow root",
    name: "dialog",
    add: (page) =>
      page.evaluate(() => {
        const host = document.body.appendChild(document.createElement("div"));
        const inner = host.attachShadow({ mode: "open" }).appendChild(document.createElement("div"));
        const dialog = inner.attachShadow({ mode: "open" }).appendChild(document.createElement("dialog"));
        dialog.append("Choose a size");
        dialog.showModal();
        Object.assign(globalThis, { closeInner: () => dialog.close() });
      }),
    remove: (page) => page.evaluate("closeInner()"),
  },
  {
    what: "an alert dialog with a role",
    name: "dialog",
    add: append(`<div id=host role=alertdialog style="position:fixed;top:0">Your session ends</div>`),
    remove: (page) => page.evaluate(() => document.querySelector("#host")!.className = "gone"),
  },
  {
    what: "a small dialog with a role, such as a chat,",
    name: "dialog",
    // The element with the role is often a wrapper without a size.
    add: append(
      `<div id=host role="dialog"><p style="position:fixed;bottom:0;right:0">How can we help?</p></div>`,
    ),
    remove: (page) => page.evaluate(() => document.querySelector("#host")!.className = "gone"),
  },
  {
    what: "a film in full screen",
    name: "dialog",
    add: async (page) => {
      await append("<video id=film></video>")(page);
      await page.evaluate(() => document.querySelector("#film")!.requestFullscreen());
    },
    remove: (page) => page.evaluate(() => document.exitFullscreen()),
  },
  {
    what: "a cookie banner that slides out",
    name: "cookie-bar",
    add: append(`<p id=cookies style="position:fixed;bottom:0;transition:transform 1s">We use cookies</p>`),
    remove: (page) =>
      page.evaluate(() =>
        document.querySelector("#cookies")!.setAttribute("style", "position:fixed;top:100%")
      ),
  },
  {
    what: "a field with focus in a shadow root",
    name: "field",
    add: (page) =>
      page.evaluate(() => {
        const host = document.body.appendChild(document.createElement("div"));
        const input = host.attachShadow({ mode: "open" }).appendChild(document.createElement("input"));
        Object.assign(globalThis, { field: input });
        input.focus();
      }),
    remove: (page) => page.evaluate("field.blur()"),
  },
  {
    what: "an own-markup form on screen",
    name: "inline-form",
    add: append(`<form id=own data-cfbe-form><input name=email></form>`),
    remove: (page) =>
      page.evaluate(() => document.querySelector<HTMLElement>("#own")!.style.display = "none"),
  },
];

const STYLE = { head: `<style>.gone{visibility:hidden}</style><script async src="SCRIPT"></script>` };

for (const { what, name, add, remove } of [...KINDS, ...OTHERS]) {
  browserTest(`${what} blocks the popup until it is gone`, async () => {
    await using site = await openPage("", {}, STYLE);
    const { page } = site;
    await add(page);
    await waitForBlockers(page, name);
    await waitPastTriggers(page);
    assert.equal(await isOpen(page), false);
    await remove(page);
    await waitForPopup(page);
    assert.deepEqual(site.logs, []);
  });
}

for (const [i, one] of KINDS.entries()) {
  for (const other of KINDS.slice(i + 1)) {
    browserTest(`${one.what} and ${other.what} both block the popup until both are gone`, async () => {
      await using site = await openPage("", {}, STYLE);
      const { page } = site;
      for (const { add } of [one, other]) await add(page);
      await waitForBlockers(page, one.name, other.name);
      await one.remove(page);
      await waitForBlockers(page, other.name);
      await waitPastTriggers(page);
      assert.equal(await isOpen(page), false);
      await other.remove(page);
      await waitForPopup(page);
    });
  }
}

browserTest("a blocker that appears while the popup loads still blocks it", async () => {
  await using site = await openPage("", {}, STYLE);
  const { page } = site;
  await page.route(/\/cfbe\/popup-/, async (route) => {
    await KINDS[0]!.add(page);
    await route.continue();
  });
  await waitForBlockers(page, "cookie-bar");
  await waitPastTriggers(page);
  assert.equal(await isOpen(page), false);
  await KINDS[0]!.remove(page);
  await waitForPopup(page);
});

for (
  const [what, markup] of [
    ["an element", "<cfbe-form id=late form=footer></cfbe-form>"],
    ["a placeholder", "<div id=late data-cfbe-form=footer></div>"],
  ] as const
) {
  browserTest(`${what} on screen blocks the popup even before its code has loaded`, async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await using site = await openPage(markup, {}, {
      before: (page) =>
        page.route(/\/cfbe\/form-/, async (route) => (await released, await route.continue())),
    });
    const { page } = site;
    await waitForBlockers(page, "inline-form");
    release();
    await page.locator("#late input[name=email]").waitFor();
    await waitPastTriggers(page);
    assert.equal(await isOpen(page), false);
    await removeElement("#late")(page);
    await waitForPopup(page);
  });
}

browserTest("hidden and off-screen forms do not block the popup", async () => {
  await using site = await openPage(
    `<cfbe-form style="display:none"></cfbe-form><div hidden><cfbe-form></cfbe-form></div>
    <cfbe-form style="position:absolute;top:100vh"></cfbe-form>
    <div data-cfbe-form style="position:absolute;bottom:100%"></div>`,
  );
  await waitForPopup(site.page);
});

const GONE = { layout: "inline" as const, cfg: "gone.cfg" };

const UNSHOWN: [what: string, settings: Partial<PublicSettings>][] = [
  ["paused", { preload: "variants", offForms: [hashOf("gone")] }],
  ["not meant for the page", { forms: { gone: { ...GONE, targeting: [{ conditions: [NOWHERE] }] } } }],
];

for (const [what, settings] of UNSHOWN) {
  for (
    const [how, markup] of [
      ["an element", "<style>cfbe-form{display:block}</style><cfbe-form form=gone></cfbe-form>"],
      [
        "a placeholder with a reserved height",
        "<style>cfbe-form{display:block;min-height:9em}</style><div data-cfbe-form=gone>Soon</div>",
      ],
    ] as const
  ) {
    browserTest(`the place of a form that is ${what} does not block the popup: ${how}`, async () => {
      await using site = await openPage(markup, {}, { settings });
      await waitForPopup(site.page);
    });
  }
}

browserTest("invisible, collapsed and closed dialogs and banners do not block the popup", async () => {
  const body = `<div role=dialog style="height:0;overflow:hidden"><p>Cookies</p></div><div role=dialog></div>
    <div role=dialog style="position:absolute;width:1px;height:1px;overflow:clip">Chat</div>
    <div role=dialog style="position:fixed;top:0;transform:scale(0)">Chat</div>
    <div role=dialog aria-hidden=true style="position:fixed;inset:0;z-index:-1">Behind the page</div>
    <div aria-modal=true hidden>Menu</div><p id=cookies style="visibility:hidden">Cookies</p>
    <dialog>Choose</dialog><div id=cookies style="opacity:0">Cookies</div><p role=alertdialog hidden>Alert</p>
    <div role=dialog style="position:fixed;inset:0;transform:translateX(-100%)">Menu</div>`;
  await using site = await openPage(body, {}, STYLE);
  await waitForPopup(site.page);
});

browserTest("an invalid cookie banner selector causes one warning and blocks nothing", async () => {
  await using site = await openPage("", { cookieBarSelector: "#cookies:::" }, STYLE);
  await waitForPopup(site.page);
  assert.equal(site.logs.length, 1);
  assert.match(site.logs[0]!, /^\[cfbe\] invalid selector: #cookies:::/);
  await why(site.page);
  assert.equal(site.logs.length, 1);
});
