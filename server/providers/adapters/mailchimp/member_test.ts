import assert from "node:assert/strict";
import { type MailchimpResponse, trouble } from "./http.ts";
import { addResult, memberPath, memberResult, memberStatusOf, statusResult } from "./member.ts";

const problem = (status: number, title: string, detail = ""): MailchimpResponse => ({
  kind: "error",
  status,
  problem: { title, detail },
});

Deno.test("a member's path contains the hash of the address in lower case, and not the address", () => {
  // The example of Mailchimp's documentation.
  const path = "/lists/a1/members/62eeb292278cc15f5817cb78f7790b08";
  assert.equal(memberPath("a1", "Urist.McVankab@freddiesjokes.com"), path);
});

Deno.test("a status that the documentation does not list is trouble, also if it is the name of a method", () => {
  for (const status of ["sleeping", "toString", "__proto__", ""]) {
    assert.equal(memberStatusOf(status), undefined);
    const result = statusResult(memberResult({ kind: "ok", status: 200, body: { status } }));
    assert.partialDeepStrictEqual(result, { kind: "trouble", code: "unexpected", unknown: false });
  }
});

Deno.test("a time that is missing or malformed is left out", () => {
  for (const last_changed of [undefined, null, 7, "", "yesterday", "2026-99-99T00:00:00+00:00"]) {
    const result = statusResult(
      memberResult({ kind: "ok", status: 200, body: { status: "subscribed", last_changed } }),
    );
    assert.deepEqual(result, { kind: "found", status: "active" });
  }
});

Deno.test("only Mailchimp's own 404 says that an address is absent", () => {
  assert.deepEqual(memberResult(problem(404, "resourcenotfound")), { kind: "absent" });
  assert.equal(memberResult({ kind: "error", status: 404 }).kind, "trouble");
  assert.equal(memberResult({ kind: "ok", status: 200, body: {} }).kind, "trouble");
});

Deno.test("only an error that is about the address rejects it", () => {
  const rows: [MailchimpResponse, string][] = [
    [problem(400, "memberexists"), "taken"],
    [problem(400, "forgottenemailnotsubscribed"), "forgotten"],
    [problem(400, "memberincompliancestate"), "suppressed"],
    [problem(400, "invalidresource", "Please provide a valid email address."), "refused"],
    [
      problem(400, "invalidresource", "a@x.example looks fake or invalid, please enter a real one."),
      "refused",
    ],
    [problem(400, "invalidresource", "a@x.example has signed up to a lot of lists very recently"), "trouble"],
    [problem(400, "invalidresource", "Your merge fields were invalid."), "trouble"],
    [problem(404, "resourcenotfound"), "trouble"],
    [{ kind: "error", status: 400 }, "trouble"],
  ];
  for (const [response, kind] of rows) {
    const result = addResult(response);
    assert.equal(result.kind, kind, JSON.stringify(response));
    assert.doesNotMatch(JSON.stringify(result), /x\.example/);
  }
});

Deno.test("a signup is reported as pending only if Mailchimp says so", () => {
  const added = (status: string) => addResult({ kind: "ok", status: 200, body: { status } });
  assert.deepEqual(added("pending"), { kind: "accepted", isPending: true });
  assert.deepEqual(added("subscribed"), { kind: "accepted" });
});

Deno.test("an error's code says what to do: wait, change the key, or look at the account", () => {
  const rows: [MailchimpResponse, string, boolean][] = [
    [{ kind: "error", status: 403 }, "rate_limited", false],
    [{ kind: "error", status: 429 }, "rate_limited", false],
    [problem(401, "apikeyinvalid"), "forbidden", false],
    [problem(403, "forbidden"), "forbidden", false],
    [problem(403, "userdisabled"), "account", false],
    [problem(503, "compliancerelated"), "account", true],
    [problem(500, "internalservererror"), "unavailable", true],
    [{ kind: "error", status: 400 }, "unexpected", true],
  ];
  for (const [response, code, unknown] of rows) {
    const { code: found, unknown: may } = trouble(response, "writes");
    assert.deepEqual([found, may], [code, unknown], JSON.stringify(response));
    assert.equal(trouble(response, "reads").unknown, false);
  }
});
