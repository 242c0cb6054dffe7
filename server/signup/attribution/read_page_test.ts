import assert from "node:assert/strict";
import fc from "fast-check";
import { readPage } from "./read_page.ts";

Deno.test("a page keeps its path, the origin of the linking site and its UTM parameters, and nothing else", () => {
  assert.deepEqual(
    readPage({
      path: "/blog/tea?session=1#top",
      referrer: "https://news.example/item?id=7",
      utm: { source: "mail", medium: " email ", campaign: "spring", id: "9" },
      title: "Tea",
    }),
    {
      path: "/blog/tea",
      referrer: "https://news.example",
      utm: { source: "mail", medium: "email", campaign: "spring" },
    },
  );
});

Deno.test("a path keeps no segment that could identify a person", () => {
  const pathOf = (path: string) => readPage({ path })?.path;
  assert.equal(pathOf("/reset/ada@example.com/now"), "/reset/*/now");
  assert.equal(pathOf("/u/ada%40example.com"), "/u/*");
  assert.equal(pathOf("/login/3f786850e387550fdab836ed7e6dc881"), "/login/*");
  for (
    const segment of [
      "ada%2540example.com",
      "ada%EF%BC%A0example.com",
      "ada%25EF%25BC%25A0example.com",
      "+4930231250",
      "550e8400-cafe-41d4-a716-446655440000",
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
      "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeF",
    ]
  ) {
    assert.equal(pathOf(`/u/${segment}`), "/u/*", segment);
  }
  for (
    const path of [
      "/2026/how-to-brew-green-tea-in-10-minutes",
      "/Spring_Collection_2026.summary.html",
      "/donaudampfschifffahrtsgesellschaft",
      "/+1",
    ]
  ) {
    assert.equal(pathOf(path), path);
  }
});

Deno.test("a path is kept as people read it, once for each page, and cut by characters", () => {
  const pathOf = (path: string) => readPage({ path })?.path;
  assert.equal(pathOf("/caf%C3%A9"), "/café");
  assert.equal(pathOf("/café"), "/café");
  assert.equal(pathOf("/a%2Fb/%00/%E2%80%AE/100%"), "/a%2Fb/%00/%E2%80%AE/100%");
  const long = `/${"чай-".repeat(30)}`;
  assert.equal(pathOf(encodeURI(long)), long);
  assert.equal(pathOf(encodeURI(`/${"ч".repeat(300)}`)), `/${"ч".repeat(199)}`);
});

Deno.test("a UTM parameter with a web address is left out, in whatever characters it is written", () => {
  for (const value of ["spam.com", "https://spam.example", "spam。com", "ｗｗｗ.spam", "203.0.113.9"]) {
    assert.deepEqual(readPage({ path: "/", utm: { source: value, medium: "email" } }), {
      path: "/",
      utm: { medium: "email" },
    });
  }
});

Deno.test("a UTM parameter or referrer with an address, or that is no text or URL, is left out", () => {
  assert.deepEqual(
    readPage({
      path: "/",
      referrer: "mailto:ada@example.com",
      utm: { source: "ada@example.com", term: 7, content: "" },
    }),
    { path: "/" },
  );
  assert.deepEqual(readPage({ path: "/", utm: JSON.parse('{"__proto__":{"source":"x"}}') }), { path: "/" });
});

Deno.test("whatever a visitor sends as page, reading it neither fails nor returns more than the limits allow", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 900 }),
    fc.webPath(),
    fc.webUrl(),
    fc.emailAddress(),
  );
  const page = fc.record(
    {
      path: fc.oneof(text, text.map((each) => `/${each}`)),
      referrer: text,
      utm: fc.dictionary(fc.constantFrom("source", "campaign"), text),
    },
    { requiredKeys: [] },
  );
  fc.assert(fc.property(fc.oneof(page, fc.anything()), (value) => {
    const read = readPage(value);
    if (!read) return;
    assert.ok([...read.path].length <= 200 && read.path.startsWith("/"));
    assert.doesNotMatch(JSON.stringify(read), /@|%40|\p{Cc}/iu);
    assert.ok(Object.values(read.utm ?? {}).every((each) => [...each].length <= 100));
  }));
});
