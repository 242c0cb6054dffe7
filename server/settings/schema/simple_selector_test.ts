import assert from "node:assert/strict";
import { isSimpleSelector } from "./simple_selector.ts";

const SIMPLE = [
  "#bar",
  ".cc-window.cc-banner",
  "cookie-banner",
  "*",
  "div#a.b[data-x]",
  '[aria-label="Cookie banner"]',
  "[class^=cookie i]",
  "[data-state='open'] > .bar , #b",
  ".md\\:block",
  "#größe",
  "--custom",
  "-moz-thing",
  "#cookies:not(.hidden)",
  "a b > c",
  "#a,#b,#c,#d,#e,#f,#g,#h,#i,#j",
];

const OTHERS = [
  "]]]",
  "#",
  "#1a",
  ".a ~ .b",
  ".a + .b",
  ":has(a)",
  "#a:has(:has(b))",
  ":nth-child(n of :nth-child(n of p))",
  ":not(u ~ p ~ p)",
  ":not(:has(a))",
  ":is(a, b)",
  "a::before",
  "a b > c d",
  "#a,#b,#c,#d,#e,#f,#g,#h,#i,#j,#k",
  "a,",
  "a >",
  "> a",
  "a > > b",
  ".bar*",
  "[a=b",
  "a{color:red}",
  "a/**/b",
  "|a",
];

Deno.test("selectors of types, IDs, classes, attributes and :not() of one are simple", () => {
  for (const selector of SIMPLE) assert.ok(isSimpleSelector(selector), selector);
});

Deno.test("selectors that are invalid, or that can take a page long, are not simple", () => {
  for (const selector of OTHERS) assert.ok(!isSimpleSelector(selector), selector);
});

Deno.test("a long hostile selector is checked at once: a search that goes back again and again would hang here", () => {
  for (const part of ["\\:", "[a", "a,", ":not(", "a ", "[a='"]) {
    assert.ok(!isSimpleSelector(part.repeat(5000) + "]"), part);
  }
});
