import assert from "node:assert/strict";
import type { SignupStatus } from "../../operations/remote/signup_status.ts";
import { listTexts, statusText } from "./text.ts";

const AT = Date.parse("2026-03-29T10:00:00Z");

function statusOf(record: Partial<SignupStatus["record"]>, ip: string | null): SignupStatus {
  return {
    record: {
      v: 2,
      email: "ada@example.com",
      list: "main",
      status: "active",
      since: AT,
      createdAt: AT,
      updatedAt: AT,
      source: "popup",
      tags: [],
      ...record,
    },
    consents: [{ v: 1, id: "c", at: AT, given: true, text: "Yes", locale: "en", ip, source: "popup" }],
    jobs: [],
  };
}
const textFor = (record: Partial<SignupStatus["record"]>, ip: string | null = null) =>
  statusText("ada@example.com", [statusOf(record, ip)]);

Deno.test("the first line on a signup has the present status of someone who left the list", () => {
  assert.match(
    textFor({ listStatus: "unsubscribed" }),
    /^ada@example\.com on list main: unsubscribed \(confirmed 2026-/,
  );
  assert.match(textFor({ listStatus: "active" }), /^ada@example\.com on list main: active since 2026-/);
});

Deno.test("a consent without an IP address says that none is stored", () => {
  assert.match(textFor({}), /agreed to “Yes”, IP address not stored$/);
  assert.match(textFor({}, "192.0.2.1"), /agreed to “Yes”, from 192\.0\.2\.1$/);
});

Deno.test("a signup's name and the answers to its form's fields are shown, without control characters", () => {
  const fields = { city: "Ber\x1b[2Jlin", topics: ["art", "music"], adult: true as const, age: 40 };
  assert.match(
    textFor({ name: "Ada", fields }),
    /\n {2}name {10}Ada\n {2}field {9}city: Ber \[2Jlin\n {2}field {9}topics: art, music\n {2}field {9}adult: yes\n {2}field {9}age: 40\n/,
  );
});

Deno.test("a list has its name and its ID, or only the ID if it was never loaded", () => {
  const listText = listTexts([{ id: "65f0", name: "Newsletter" }]);
  assert.deepEqual(["65f0", "77aa"].map(listText), ["Newsletter (65f0)", "77aa"]);
  const text = statusText("ada@example.com", [statusOf({ list: "65f0" } as never, null)], listText);
  assert.match(text, /on list Newsletter \(65f0\)/);
});
