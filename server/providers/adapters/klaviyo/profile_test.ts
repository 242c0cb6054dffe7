import assert from "node:assert/strict";
import { membersPage, nextCursor } from "./listing.ts";
import { profilesIn, standingOf } from "./profile.ts";

const LIST = "Y6nRLr";
const suppressed = (reason: string, list_id?: string) => ({ reason, ...(list_id && { list_id }) });

function profile(marketing: unknown, email: unknown = "a@x.example") {
  const attributes = { email, subscriptions: { email: { marketing } } };
  return { type: "profile", id: "01P", attributes };
}
const page = (...data: unknown[]) => ({ kind: "ok" as const, status: 200, body: { data } });
const read = (marketing: unknown) => standingOf(profilesIn(page(profile(marketing)))![0]!, LIST);

Deno.test("the standing follows from the suppressions, then from the consent", () => {
  const rows: [
    consent: string,
    all: object[],
    lists: object[],
    can: boolean,
    expected: string | undefined,
  ][] = [
    ["SUBSCRIBED", [], [], true, "subscribed"],
    ["NEVER_SUBSCRIBED", [], [], true, "none"],
    ["UNSUBSCRIBED", [], [], true, "unsubscribed"],
    ["UNSUBSCRIBED", [], [], false, "unsubscribed"],
    ["SUBSCRIBED", [suppressed("UNSUBSCRIBE")], [], false, "unsubscribed"],
    ["UNSUBSCRIBED", [suppressed("UNSUBSCRIBE"), suppressed("SPAM_COMPLAINT")], [], false, "suppressed"],
    ["SUBSCRIBED", [suppressed("USER_SUPPRESSED"), suppressed("HARD_BOUNCE")], [], false, "bounced"],
    ["NEVER_SUBSCRIBED", [suppressed("A_REASON_OF_NEXT_YEAR")], [], false, "suppressed"],
    ["NEVER_SUBSCRIBED", [suppressed("toString")], [], true, "suppressed"],
    ["SUBSCRIBED", [], [suppressed("UNSUBSCRIBE", LIST)], true, "unsubscribed"],
    ["SUBSCRIBED", [], [suppressed("USER_SUPPRESSED", LIST)], true, "suppressed"],
    ["SUBSCRIBED", [], [suppressed("UNSUBSCRIBE", "another")], true, "subscribed"],
    ["SUBSCRIBED", [], [], false, "suppressed"],
    ["A_CONSENT_OF_NEXT_YEAR", [], [], true, undefined],
    ["toString", [], [], true, undefined],
  ];
  for (const [consent, suppression, list_suppressions, can_receive_email_marketing, expected] of rows) {
    const marketing = { consent, suppression, list_suppressions, can_receive_email_marketing };
    assert.equal(read(marketing), expected, JSON.stringify(marketing));
  }
});

Deno.test("a profile whose consent or suppressions cannot be read has no standing", () => {
  const good = { consent: "SUBSCRIBED", can_receive_email_marketing: true };
  assert.equal(read({ ...good, suppression: null }), "subscribed");
  const broken: unknown[] = [
    undefined,
    null,
    [],
    { consent: "SUBSCRIBED" },
    { ...good, consent: 1 },
    { ...good, suppression: "UNSUBSCRIBE" },
    { ...good, suppression: [{ reason: null }] },
    { ...good, list_suppressions: [null] },
  ];
  for (const marketing of broken) assert.equal(read(marketing), undefined, JSON.stringify(marketing));
});

Deno.test("a profile without an address, or one that cannot be read, does not hide the others", () => {
  const good = { consent: "SUBSCRIBED", can_receive_email_marketing: true };
  const found = membersPage(page(null, {}, profile(good, null), profile(null), profile(good)), LIST);
  assert.deepEqual(found, { kind: "page", items: [{ email: "a@x.example", status: "active" }] });
  for (const data of [undefined, null, {}, "x"]) {
    assert.equal(membersPage({ kind: "ok", status: 200, body: { data } }, LIST).kind, "trouble");
  }
});

Deno.test("the next page's cursor comes from the link, and an empty page is the last", () => {
  const next = "https://a.klaviyo.com/api/lists?page%5Bcursor%5D=bmV4dA%3D%3D";
  assert.equal(nextCursor({ links: { next } }), "bmV4dA==");
  for (
    const links of [undefined, null, [], { next: null }, { next: 7 }, { next: "x" }, { next: "https://a/" }]
  ) {
    assert.equal(nextCursor({ links }), undefined);
  }
  const found = membersPage({ kind: "ok", status: 200, body: { data: [], links: { next } } }, LIST);
  assert.deepEqual(found, { kind: "page", items: [] });
});
