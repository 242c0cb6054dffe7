/** What the tests of chapter 4 share: a program with several forms, and what they ask of responses and signups. */
import assert from "node:assert/strict";
import type { ProgramOptions } from "./program.ts";
import { type Answer, ANY_IP, anyIp, type Service, type Stored, until } from "./service.ts";

export const SUCCESS = "Almost done. Please check your inbox and confirm your email address.";
export const PENDING = `{"success":true,"code":"pending","message":"${SUCCESS}"}`;
export const CONSENT_TEXT = "I agree to get the newsletter of this test.";
export const UNLIMITED = "filters: { cfbe_signup_site_limit: () => 0 }";

/** A program with forms of its own and no limit of signups of the site. */
export const OPTIONS: ProgramOptions = {
  config: `{
    settings: {
      ${ANY_IP},
      popup: { list: "chosen" },
      form: {
        nameField: "optional",
        interests: [{ tag: "tea", label: "Tea" }, { tag: "coffee", label: "Coffee" }],
        consent: "optional",
        consentText: "${CONSENT_TEXT}",
      },
      forms: {
        forms: [
          { name: "strict", nameField: "required", consent: "required", tags: ["strict"] },
          { name: "plain", nameField: "hidden", consent: "off", interests: [] },
          { name: "soon", status: "draft", tags: ["soon"] },
        ],
      },
    },
    ${UNLIMITED},
  }`,
};

/** Sends a signup that is dropped if its checks before the token pass: it has none. */
export const drop = (service: Service, members: Record<string, unknown>, headers = {}) =>
  service.call("subscribe", { ip: anyIp(), headers, json: { source: "shortcode", ...members } });

export const isSuccess = ({ status, json }: Answer) =>
  status === 200 && json.success === true && json.code === "pending";

/** Returns the only signup of an address, once it is delivered. */
export async function delivered(service: Service, email: string): Promise<Stored> {
  await until(`the email to ${email}`, async () => (await service.mails(email)).length > 0);
  let stored: Stored[] = [];
  await until(`${email} is pending`, async () => {
    stored = await service.status(email);
    return stored[0]?.record.status === "pending";
  });
  assert.equal(stored.length, 1);
  return stored[0]!;
}

export function assertInvalid({ status, json }: Answer, fields: string[], what: string): void {
  assert.equal(status, 400, what);
  assert.deepEqual(Object.keys(json), ["success", "code", "message", "fields"], what);
  assert.deepEqual([json.success, json.code], [false, "invalid"], what);
  assert.deepEqual(Object.keys(json.fields).sort(), fields.sort(), what);
  for (const message of [json.message, ...Object.values(json.fields)]) {
    assert.ok(typeof message === "string" && message !== "", what);
  }
}
