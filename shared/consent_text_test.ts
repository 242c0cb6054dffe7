import assert from "node:assert/strict";
import { parseConsent, unreadLinks } from "./consent_text.ts";

Deno.test("plain text is one segment, and an empty text has no segments", () => {
  assert.deepEqual(parseConsent("I agree."), [{ text: "I agree." }]);
  assert.deepEqual(parseConsent(""), []);
});

Deno.test("links are separated from the text around them", () => {
  assert.deepEqual(
    parseConsent("See [terms](https://a.example/t) and [privacy](https://a.example/p?x=1#y)."),
    [
      { text: "See " },
      { text: "terms", href: "https://a.example/t" },
      { text: " and " },
      { text: "privacy", href: "https://a.example/p?x=1#y" },
      { text: "." },
    ],
  );
});

Deno.test("only complete https links become links; anything else stays plain text", () => {
  for (
    const source of [
      "[x](javascript:alert(1))",
      "[x](http://a.example)",
      "[x](//a.example)",
      "[x](https://a.example",
      "[](https://a.example)",
      "[x] (https://a.example)",
      "<a href='https://a.example'>x</a>",
      "[x](https://a.example/ b)",
    ]
  ) assert.deepEqual(parseConsent(source), [{ text: source }]);
});

Deno.test("what looks like a link but is shown as text is found", () => {
  const text =
    "See [terms](https://a.example/t), [privacy](a.example/p), [rules](http://a.example) and [x] (soon) [y].";
  assert.deepEqual(unreadLinks(text), ["[privacy](a.example/p)", "[rules](http://a.example)", "[x] (soon)"]);
  assert.deepEqual(unreadLinks("See [terms](https://a.example/t) (soon)."), []);
});
