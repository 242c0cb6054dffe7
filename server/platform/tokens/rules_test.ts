import assert from "node:assert/strict";
import fc from "fast-check";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";
import { defaultExpiry, expiryAfter } from "./expiry.ts";
import {
  emptyTokens,
  isExpired,
  type StoredToken,
  TokenName,
  tokenPresented,
  withoutToken,
  withToken,
} from "./row.ts";
import { ALL_SCOPES, grants, scopesIn } from "./scopes.ts";
import { hashOf, idIn, newSecret } from "./secret.ts";

const stored = (more: Partial<StoredToken> = {}): StoredToken => ({
  name: "shop",
  hash: "h",
  scopes: ["signup"],
  by: "ann",
  createdAt: 0,
  ...more,
});

Deno.test("a scope grants itself only, and admin grants every scope", () => {
  for (const held of ALL_SCOPES) {
    for (const needed of ALL_SCOPES) {
      assert.equal(grants([held], needed), held === needed || held === "admin");
    }
  }
  assert.equal(grants([], "read"), false);
  assert.deepEqual([scopesIn(["admin"]), scopesIn(["read", "newer"])], [ALL_SCOPES, ["read"]]);
});

Deno.test("a scope that this version does not know grants nothing", () => {
  fc.assert(fc.property(fc.array(fc.string()), (scopes) => {
    const unknown = scopes.filter((scope) => !(ALL_SCOPES as string[]).includes(scope));
    assert.deepEqual(ALL_SCOPES.filter((needed) => grants(unknown, needed)), []);
  }));
  for (const scope of ["Admin", "admin ", "*", "", "__proto__", "toString"]) {
    assert.deepEqual(scopesIn([scope]), []);
  }
});

Deno.test("a token begins with cfbe_ and has 256 random bits, and nothing else is taken for one", () => {
  const random = seededRandom(1);
  const made = Array.from({ length: 50 }, () => newSecret(random));
  assert.equal(new Set(made.map(({ token }) => token)).size, 50);
  for (const { id, token } of made) {
    assert.match(token, /^cfbe_[0-9a-f]{10}_[\w-]{43}$/);
    assert.equal(idIn(token), id);
  }
  const { token } = made[0]!;
  for (
    const other of [
      token.slice(1),
      `${token}x`,
      token.slice(0, -1),
      token.toUpperCase(),
      ` ${token}`,
      `${token}\n`,
      "",
    ]
  ) {
    assert.equal(idIn(other), undefined, JSON.stringify(other));
  }
});

Deno.test("only the whole secret of a token that has not expired is right", () => {
  const { id, token } = newSecret(seededRandom(1));
  const other = newSecret(seededRandom(2));
  const row = { v: 1 as const, tokens: { [id]: stored({ hash: hashOf(token), expiresAt: 100 }) } };
  assert.equal(tokenPresented(row, token, 99)?.id, id);
  assert.equal(tokenPresented(row, token, 100), undefined);
  const wrong = [
    other.token,
    token.replace(id, other.id),
    `cfbe_${id}_${other.token.slice(-43)}`,
    hashOf(token),
    `cfbe_${id}_${hashOf(token)}`,
    id,
    "",
  ];
  for (const each of wrong) assert.equal(tokenPresented(row, each, 0), undefined, each);
  const [isNew, isOver] = [stored(), stored({ expiresAt: 5 })].map((each) => isExpired(each, 5));
  assert.deepEqual([isNew, isOver], [false, true]);
});

Deno.test("two tokens have no name that looks the same, and at most 100 are kept", () => {
  let row = withToken(emptyTokens(), "a", stored({ name: "Café shop" }));
  assert(typeof row === "object");
  for (const name of ["Café shop", "café SHOP", "Cafe\u0301 shop", "ｃafé shop"]) {
    assert.equal(withToken(row, "b", stored({ name })), "exists", name);
  }
  for (let i = 1; i < 100; i++) {
    row = withToken(row, `id${i}`, stored({ name: `token ${i}` }));
    assert(typeof row === "object");
  }
  assert.equal(withToken(row, "more", stored({ name: "one more" })), "too-many");
  assert.equal(withoutToken(row, "__proto__"), undefined);
  const fewer = withoutToken(row, "a")!;
  assert.equal(typeof withToken(fewer, "more", stored({ name: "Café shop" })), "object");
});

Deno.test("the name of a token is one line of letters and digits, whatever is sent", () => {
  const parsed = (name: unknown) => TokenName.safeParse(name);
  for (const name of ["shop", " My shop 2 ", "Магазин", "店.net", "a-b_c", "x"]) {
    assert.equal(parsed(name).data, name.trim(), name);
  }
  const hostile = [
    "",
    " ",
    "<b>shop</b>",
    "=cmd()",
    "-shop",
    "shop\nadmin",
    "shop\u202egnp",
    "sh\u200bop",
    "\u3164",
    "shop (1234567890)",
    "a\u0000b",
    "../shop",
    "x".repeat(61),
    7,
    null,
    {},
  ];
  for (const name of hostile) assert.equal(parsed(name).success, false, JSON.stringify(name));
});

Deno.test("a token works through its last day, and only a day from today to ten years ahead is accepted", () => {
  const startOf = (day: string) => Date.parse(day);
  const of = (date: string) => expiryAfter(date, "2026-11-27", startOf);
  assert.deepEqual(of("2026-11-27"), { expiresAt: Date.parse("2026-11-28") });
  assert.deepEqual(of("2028-02-29"), { expiresAt: Date.parse("2028-03-01") });
  assert.deepEqual(of("2026-11-26"), { problem: "past" });
  assert.deepEqual(of("2037-01-01"), { problem: "too-far" });
  for (const date of ["2027-02-29", "2027-13-01", "27-01-01", "soon", "", "2027-1-1", "+012027-01-01"]) {
    assert.deepEqual(of(date), { problem: "invalid" }, date);
  }
  assert.deepEqual(defaultExpiry("2026-11-27"), "2027-11-27");
});
