import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openPage, pressEscape, waitForPopup } from "../testing/popup.ts";
import { browserTest, type Site, until } from "../testing/site.ts";

/** Pages with a cookie banner: each fakes the interface that its vendor documents. */

const stored = (page: Page) => page.evaluate(() => Object.keys(localStorage).join());

/** Opens a page with a banner, on which a visitor has closed the popup. `choose` of the banner makes a choice. */
async function closedPopup(banner: string): Promise<Site> {
  const site = await openPage("", {}, {
    head: `<script>${banner}</script><script async data-storage="consent" src="SCRIPT"></script>`,
  });
  await waitForPopup(site.page);
  await pressEscape(site.page);
  return site;
}

const choose = (page: Page, granted: boolean) => page.evaluate(`choose(${granted})`);

/** Without a choice, or after a refusal, nothing is stored; with consent, that the popup was closed. */
async function followsTheBanner({ page }: Site): Promise<void> {
  assert.equal(await stored(page), "", "before a choice");
  await choose(page, true);
  await until(page, "stored", async () => await stored(page) === "cfbe_popup");
  await choose(page, false);
  await until(page, "deleted", async () => await stored(page) === "");
}

const BANNERS: Record<string, string> = {
  "the WP Consent API": `
    var cookies = {};
    var wp_consent_type = "optin";
    function wp_has_consent(category) { return cookies[category] === "allow"; }
    function choose(granted) {
      cookies.preferences = granted ? "allow" : "deny";
      document.dispatchEvent(new CustomEvent("wp_listen_for_consent_change", { detail: { ...cookies } }));
    }`,
  "Shopify's Customer Privacy API": `
    var allowed = false;
    var Shopify = { loadFeatures(features, loaded) {
      if (features[0].name !== "consent-tracking-api") throw new Error("unknown feature");
      Shopify.customerPrivacy = { preferencesProcessingAllowed: () => allowed };
      loaded();
    } };
    function choose(granted) {
      allowed = granted;
      document.dispatchEvent(new CustomEvent("visitorConsentCollected", { detail: { preferencesAllowed: granted } }));
    }`,
  "the TCF": `
    var listeners = [];
    function __tcfapi(command, version, listen) {
      if (command !== "addEventListener" || version !== 2) return listen(null, false);
      listeners.push(listen);
      listen({ eventStatus: "cmpuishown", gdprApplies: true, purpose: { consents: { 1: true } } }, true);
    }
    function choose(granted) {
      for (const listen of listeners) {
        listen({ eventStatus: "useractioncomplete", gdprApplies: true, purpose: { consents: { 1: granted } } }, true);
      }
    }`,
};

for (const [name, banner] of Object.entries(BANNERS)) {
  browserTest(
    `with data-storage=consent, the popup's state is stored as long as ${name} has consent`,
    async () => {
      await using site = await closedPopup(banner);
      await followsTheBanner(site);
      assert.deepEqual(site.logs, []);
    },
  );
}

browserTest(
  "a banner with the TCF that a tag manager adds ten seconds after the page has loaded decides",
  async () => {
    await using site = await closedPopup("");
    await site.page.clock.runFor(10_000);
    await site.page.evaluate(`(0, eval)(${JSON.stringify(BANNERS["the TCF"])})`);
    await site.page.clock.runFor(10_000);
    await followsTheBanner(site);
  },
);

browserTest(
  "before a WordPress banner has said which type of consent applies, nothing is stored",
  async () => {
    await using site = await closedPopup(`
    function wp_has_consent() { return !self.wp_consent_type || self.wp_consent_type === "optout"; }
    function choose() {
      self.wp_consent_type = "optout";
      document.dispatchEvent(new Event("wp_consent_type_defined"));
    }`);
    await until(
      site.page,
      "all parts",
      async () => await site.page.evaluate("document.readyState") === "complete",
    );
    assert.equal(await stored(site.page), "");
    await choose(site.page, true);
    await until(site.page, "stored", async () => await stored(site.page) === "cfbe_popup");
  },
);

browserTest("visitors to whom the GDPR does not apply need to make no choice", async () => {
  await using site = await closedPopup(`
    function __tcfapi(command, version, listen) { listen({ eventStatus: "tcloaded", gdprApplies: false }, true); }`);
  await until(site.page, "stored", async () => await stored(site.page) === "cfbe_popup");
});
