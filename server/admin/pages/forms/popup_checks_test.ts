import assert from "node:assert/strict";
import { SettingsSchema } from "../../../settings/schema.ts";
import { describedVisit, visitFields } from "./described_visit.ts";
import { checkPopup } from "./popup_checks.ts";

function blockingRules(address: string, popup: Record<string, unknown> = {}, origins: string[] = []) {
  const checks = check({ address }, popup, origins);
  return checks?.filter(({ result }) => result === "blocks").map(({ rule }) => rule);
}

function check(
  query: Record<string, string>,
  popup: Record<string, unknown>,
  origins: string[] = [],
  zone = "UTC",
) {
  const settings = SettingsSchema.parse({ popup: { enabled: true, ...popup }, general: { origins } });
  const described = describedVisit(visitFields(new URLSearchParams(query), 0, zone), 0, zone);
  return described && checkPopup(settings, described);
}

Deno.test("a page is checked by the widget's own popup rules", () => {
  assert.deepEqual(blockingRules("https://shop.example/blog"), []);
  assert.deepEqual(blockingRules("https://shop.example/blog", { enabled: false }), ["Enabled"]);
  assert.deepEqual(blockingRules("https://shop.example/de/my-account/orders"), [
    "Cart, checkout and account pages",
  ]);
  assert.deepEqual(blockingRules("https://shop.example/#/cart"), ["Cart, checkout and account pages"]);
  assert.deepEqual(blockingRules("https://shop.example/danke/a", { excludePaths: ["/danke"] }), [
    "Excluded paths",
  ]);
  assert.deepEqual(blockingRules("https://other.example/", {}, ["https://shop.example"]), ["Origin"]);
});

Deno.test("the check names every trigger that the popup waits for", () => {
  const trigger = (triggers: Record<string, unknown>) =>
    check({ address: "https://shop.example/" }, { triggers: { delaySeconds: 0, ...triggers } })!
      .find(({ rule }) => rule === "Trigger")!;
  assert.equal(trigger({}).explanation, "None is set, so the popup opens immediately.");
  assert.deepEqual(
    trigger({ inactiveSeconds: 30, seenSelector: "#reviews", clickSelector: ".offer" }),
    {
      rule: "Trigger",
      result: "depends",
      explanation: "Waits for 30 seconds without input, or an element that matches #reviews in the window, " +
        "or a click on an element that matches .offer, which opens it whatever the other rules.",
    },
  );
});

Deno.test("a URL that is not http or https is not checked", () => {
  for (const url of ["", "shop.example", "javascript:alert(1)", "mailto:a@b.example"]) {
    assert.equal(blockingRules(url), undefined);
  }
});

Deno.test("each condition of the targeting is explained for the described visitor, beside the other rules", () => {
  const targeting = [
    {
      conditions: [
        { kind: "path", match: "starts", value: "/blog/*" },
        { kind: "width", match: "below", value: 768 },
        { kind: "utm", name: "campaign", match: "is", value: "spring" },
        { kind: "visitor", value: "returning" },
      ],
    },
    {
      conditions: [
        { kind: "query", name: "vip", match: "is", value: "1" },
        { kind: "referrer", value: "google.*" },
        { kind: "language", value: "de", not: true },
        { kind: "pages", match: "atLeast", value: 3 },
        { kind: "time", days: ["fri"], from: "09:00", to: "17:00", timeZone: "Europe/Berlin" },
        { kind: "cartTotal", match: "atLeast", value: 50 },
        { kind: "cartItem", match: "is", value: "sku-1" },
      ],
    },
  ];
  const explain = (query: Record<string, string>) =>
    check(query, { targeting })!.filter(({ rule }) => /^(Targeting|Group)/.test(rule));
  const lines = (query: Record<string, string>) =>
    explain(query).map(({ rule, result, explanation }) => `${result} | ${rule} | ${explanation}`);

  const address = "https://shop.example/blog/tea?utm_campaign=spring";
  assert.deepEqual(lines({ address, width: "390", visitor: "new" }).slice(0, 5), [
    "blocks | Targeting | In every group, at least one condition does not hold. See the conditions below.",
    "holds | Group 1: Path starts with /blog/* | The path is /blog/tea.",
    "holds | Group 1: Window width is below 768 | The window is 390 pixels wide.",
    "holds | Group 1: utm_campaign is spring | utm_campaign is spring.",
    "fails | Group 1: Visitor is returning | The visitor is new.",
  ]);
  assert.equal(explain({ address, width: "390", visitor: "returning" })[0]!.result, "ok");

  const described = {
    address: "https://shop.example/?vip=1",
    referrer: "https://www.google.de/search",
    language: "fr-CA",
    pages: "3",
    time: "2030-01-04T08:30",
    total: "50",
    item: "sku-1",
  };
  assert.deepEqual(lines(described).slice(5), [
    "holds | Group 2: vip is 1 | vip is 1.",
    "holds | Group 2: Linking site is google.* | The linking site is www.google.de.",
    "holds | Group 2: Not: Language is de | The browser's language is fr-CA.",
    "holds | Group 2: Pages in this session is at least 3 | This is page 3 of the session.",
    "holds | Group 2: Friday, 09:00 to 17:00 (Europe/Berlin) | It is Friday 09:30.",
    "holds | Group 2: Cart total is at least 50 | The cart's total is 50.",
    "holds | Group 2: Cart item is sku-1 | The cart has sku-1.",
  ]);
  assert.deepEqual(
    explain({ ...described, address: "https://shop.example/cart?vip=1" }).map(({ result }) => result)[0],
    "ok",
  );
  const atCart = check({ ...described, address: "https://shop.example/cart?vip=1" }, { targeting })!;
  assert.ok(atCart.some(({ result }) => result === "blocks"), "targeting never overrides another rule");
});

Deno.test("the described time is compared in the site's time zone, in summer and in winter of any year", () => {
  const zone = "Europe/Berlin";
  const targeting = [{
    conditions: [{ kind: "time", days: ["fri"], from: "09:00", to: "17:00", timeZone: zone }],
  }];
  const timeOf = (time: string) => {
    const { result, explanation } = check(
      { address: "https://shop.example/", time },
      { targeting },
      [],
      zone,
    )!
      .find(({ rule }) => rule.startsWith("Group 1"))!;
    return `${result}: ${explanation}`;
  };
  assert.equal(timeOf("2030-01-04T09:00"), "holds: It is Friday 09:00.");
  assert.equal(timeOf("2030-01-04T08:59"), "fails: It is Friday 08:59.");
  assert.equal(timeOf("2030-07-05T09:00"), "holds: It is Friday 09:00.");
  assert.equal(timeOf("2030-07-05T17:00"), "fails: It is Friday 17:00.");
  assert.equal(
    visitFields(new URLSearchParams(), Date.parse("2030-07-05T22:30:00Z"), zone).time,
    "2030-07-06T00:30",
  );
});

Deno.test("a described visit survives any query", () => {
  const query = { width: "x", pages: "-", time: "never", total: "much", visitor: "?", language: "%" };
  const checks = check({ address: "https://shop.example/", ...query }, {
    targeting: [{ conditions: [{ kind: "width", match: "below", value: 1 }] }],
  });
  assert.equal(checks!.find(({ rule }) => rule === "Targeting")!.result, "ok");
});
