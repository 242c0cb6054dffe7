import assert from "node:assert/strict";
import { visitFields } from "./described_visit.ts";
import { blocksOf, checksOf, explanationOf, usesOf } from "./testing/described.ts";

const blockingRules = (address: string, popup: Record<string, unknown> = {}, origins: string[] = []) =>
  checksOf({ popup, general: { origins } }, { address })
    ?.filter(({ result }) => result === "blocks").map(({ rule }) => rule);

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

Deno.test("cfbe's own pages can embed forms, whatever the allowed origins", () => {
  assert.deepEqual(blockingRules("https://news.example/demo", {}, ["https://shop.example"]), []);
});

Deno.test("a page that is a shop's in a way that its URL does not reveal can be described", () => {
  assert.deepEqual(blocksOf({}, { moment: "shop" }), [
    "Cart, checkout and account pages: the page is a cart, checkout or account page",
  ]);
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
        { kind: "utm", name: "source", match: "exists", value: "", not: true },
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
    checksOf({ popup: { targeting } }, query)!.filter(({ rule }) => /^(Targeting|Group)/.test(rule));
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
  const second = {
    address: "https://shop.example/blog/tea",
    landing: address,
    ...{ width: "390", visitor: "returning", memory: "shown" },
  };
  assert.equal(explain(second)[0]!.result, "ok");
  assert.equal(explain({ ...second, address: `${second.address}?utm_campaign=fall` })[0]!.result, "blocks");
  assert.ok(lines({ ...second, storage: "no" }).some((line) => /The visit has no parameter/.test(line)));

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
    "holds | Group 2: Not: utm_source is set | The visit has no parameter utm_source.",
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
  const atCart = checksOf({ popup: { targeting } }, {
    ...described,
    address: "https://shop.example/cart?vip=1",
  })!;
  assert.ok(atCart.some(({ result }) => result === "blocks"), "targeting never overrides another rule");
});

Deno.test("an empty UTM parameter counts as absent, as in the widget", () => {
  const targeting = [{ conditions: [{ kind: "utm", name: "source", match: "exists", value: "" }] }];
  const resultOf = (fields: Record<string, string>) =>
    checksOf({ popup: { targeting } }, fields)!.find(({ rule }) => rule === "Targeting")!.result;
  const address = "https://shop.example/?utm_source=";
  const landing = "https://shop.example/?utm_source=news";
  assert.equal(resultOf({ address: landing }), "ok");
  assert.equal(resultOf({ address }), "blocks");
  assert.equal(resultOf({ address: "https://shop.example/", landing: address }), "blocks");
  assert.equal(
    resultOf({ address, landing, memory: "shown" }),
    "ok",
    "the visit keeps those of its first page",
  );
});

Deno.test("a condition about any UTM parameter says which ones the visit has", () => {
  const conditions = [{ kind: "utm", name: "any", match: "exists", value: "" }];
  const explain = (address: string) =>
    checksOf({ popup: { targeting: [{ conditions }] } }, { address })!
      .find(({ rule }) => rule.includes("Any UTM parameter is set"))!;
  assert.equal(explain("https://shop.example/?utm_medium=mail&utm_term=tea").result, "holds");
  assert.equal(
    explain("https://shop.example/?utm_medium=mail&utm_term=tea").explanation,
    "utm_medium is mail. utm_term is tea.",
  );
  assert.equal(explain("https://shop.example/?gclid=1").explanation, "The visit has no UTM parameter.");
});

Deno.test("the described time is compared in the site's time zone, in summer and in winter of any year", () => {
  const zone = "Europe/Berlin";
  const targeting = [{
    conditions: [{ kind: "time", days: ["fri"], from: "09:00", to: "17:00", timeZone: zone }],
  }];
  const timeOf = (time: string) => {
    const { result, explanation } = checksOf(
      { popup: { targeting }, general: { timeZone: zone } },
      { time },
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
  const query = Object.fromEntries(
    Object.keys(visitFields(new URLSearchParams(), 0, "UTC")).map((name) => [name, "%"]),
  );
  const targeting = [{ conditions: [{ kind: "pages", match: "below", value: 1 }] }];
  const checks = checksOf({ popup: { targeting } }, { ...query, address: "https://shop.example/" });
  assert.equal(checks!.find(({ rule }) => rule === "Targeting")!.result, "ok");
});

Deno.test("a form that is off names its state, and when its schedule begins or ended in the site's time zone", () => {
  const reasonOf = (form: Record<string, unknown>) => {
    const saved = {
      general: { timeZone: "Europe/Berlin" },
      forms: { forms: [{ name: "sale", opens: { kind: "popup", triggers: { delaySeconds: 0 } }, ...form }] },
      popup: { enabled: false },
    };
    const [block] = blocksOf(saved, {}, "sale")!;
    return `${block} | ${explanationOf("Enabled", saved, {}, "sale")}`;
  };
  assert.match(reasonOf({ status: "paused" }), /^Enabled: the form is paused \| .*“paused”/);
  assert.match(reasonOf({ status: "draft" }), /^Enabled: the form is a draft \| .*“draft”/);
  assert.match(
    reasonOf({ schedule: { from: "2030-02-01T09:00" } }),
    /^Enabled: its schedule has not begun \| .*begins on 1 Feb 2030, 09:00 \(Europe\/Berlin\)/,
  );
  assert.match(
    reasonOf({ schedule: { until: "2030-01-04T13:00" } }),
    /^Enabled: its schedule has ended \| .*ended on 4 Jan 2030, 13:00 \(Europe\/Berlin\)/,
  );
  assert.match(reasonOf({ schedule: { until: "2030-01-04T13:01" } }), /^undefined \| The form sale is live/);
});

Deno.test("a draft is checked by the rules that it will have", () => {
  const opens = { kind: "popup", triggers: { delaySeconds: 0 }, excludePaths: ["/blog"] };
  const forms = { forms: [{ name: "sale", status: "draft", opens }] };
  assert.deepEqual(blocksOf({ forms, popup: { enabled: false } }, {}, "sale"), [
    "Enabled: the form is a draft",
    "Excluded paths: the page's path is excluded",
  ]);
});

Deno.test("the visitors of an experiment's control without a form do not see it", () => {
  const experiment = {
    id: "x1",
    state: "running",
    startedAt: 1,
    variants: [{ id: "a", name: "None", weight: 1, hidden: true }, { id: "b", name: "Popup", weight: 3 }],
  };
  assert.deepEqual(blocksOf({ popup: { experiment } }, { control: "yes" }), [
    "Experiment: the visitor is in the experiment's variant without a form",
  ]);
  assert.deepEqual(blocksOf({ popup: { experiment } }), []);
  assert.match(explanationOf("Experiment", { popup: { experiment } })!, /^25% of visitors are in .*“None”/);
  const stopped = { popup: { experiment: { ...experiment, state: "stopped" } } };
  assert.deepEqual(blocksOf(stopped, { control: "yes" }), []);
});

Deno.test("a form with both uses is explained for both: where a page has it, only that targeting counts", () => {
  const group = (value: string) => [{ conditions: [{ kind: "path", match: "starts", value }] }];
  const form = {
    name: "sale",
    targeting: group("/blog"),
    opens: { kind: "slide-in", triggers: { delaySeconds: 0 }, targeting: group("/news") },
  };
  const saved = { forms: { forms: [form] }, popup: { enabled: false } };
  const resultOf = (fields: Record<string, string>) =>
    usesOf(saved, fields, "sale")!.map(({ use, checks }) =>
      `${use}: ${checks.flatMap(({ reason }) => reason ?? []).join() || "shows"}`
    );
  assert.deepEqual(resultOf({}), ["opens: the page's path doesn't match", "placed: shows"]);
  const news = "https://shop.example/news";
  assert.deepEqual(resultOf({ address: news }), ["opens: shows", "placed: the page's path doesn't match"]);
  assert.deepEqual(resultOf({ address: news, has: "none" }), [
    "opens: shows",
    "placed: the page does not have the form,the page's path doesn't match",
  ]);
  assert.deepEqual(resultOf({ address: news, has: "markup" }), [
    "opens: shows",
    "placed: the page's path doesn't match",
  ]);
});

Deno.test("a bar in the page that the visitor closed stays closed, and another layout does not", () => {
  const form = (layout: string) => ({ forms: { forms: [{ name: "offer", layout }] } });
  const closed = { memory: "closed", days: "400" };
  assert.match(blocksOf(form("promo"), closed, "offer")!.join(), /^Closed before: /);
  assert.deepEqual(blocksOf(form("promo"), {}, "offer"), []);
  assert.deepEqual(blocksOf(form("inline"), closed, "offer"), []);
});

Deno.test("a form that is not live is explained with where in its editor to change that", () => {
  const explained = (sale: Record<string, unknown>) =>
    explanationOf("Enabled", { forms: { forms: [{ name: "sale", ...sale }] } }, {}, "sale");
  assert.match(explained({ status: "draft" })!, /To show it, select “Publish” at the top\./);
  for (const form of [{ status: "paused" }, { schedule: { from: "2999-12-05T00:00" } }]) {
    assert.match(explained(form)!, /Change that under “On your site”\./);
  }
});
