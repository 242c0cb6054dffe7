import fc from "fast-check";
import { NAMESPACE } from "../../shared/contract.ts";
import { issueToken } from "../../server/platform/keys/form_token.ts";
import { signFormConfig } from "../../server/forms/public/signed_config.ts";
import type { TestProgram } from "./program.ts";

/** Generators of invalid requests, for `app_fuzz_test.ts`. */

export const bytes = fc.uint8Array({ maxLength: 300 });
const odd = fc.constantFrom<unknown>(
  ...[1e308, -0, Number.MAX_SAFE_INTEGER, "\ud800", "\0", "a\r\nb", "__proto__", "", [], {}, null, true, 1],
  ...[
    "ada@example.com",
    "ADA@EXAMPLE.COM",
    "a@b.c",
    `${"a".repeat(300)}@example.com`,
    "<script>",
    "../..",
    "%00",
  ],
);
const member = fc.oneof(
  { weight: 2, arbitrary: odd },
  fc.string({ unit: "binary" }),
  fc.anything(),
  fc.emailAddress(),
);
export const raw = fc.constantFrom(
  ...[
    '{"__proto__":{"source":"popup"}}',
    '{"source":"popup","source":"x"}',
    '{"source":"\\ud800"}',
    "[".repeat(3_000),
  ],
  ...['{"a":1e999}', "\ufeff{}", '{"source":"popup"', "null", "{}".repeat(9), "x".repeat(5_000), "", "\0"],
);

export const subscribeBody = (program: TestProgram) => {
  const { keyring, clock } = program.services;
  const token = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.integer({ min: -90_000, max: 8_000_000 }).map((age) =>
        issueToken(keyring, clock.now() - age)
      ),
    },
    member,
  );
  const config = fc.record({
    list: fc.string({ maxLength: 20 }),
    placement: fc.string({ maxLength: 20 }),
    form: fc.string({ maxLength: 9 }),
  }, { requiredKeys: [] });
  const cfg = fc.oneof(config.map((own) => signFormConfig(keyring, own)), member);
  const fields = {
    source: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("shortcode", "block", "promo", "popup") },
      member,
    ),
    email: fc.oneof({ weight: 2, arbitrary: fc.emailAddress() }, member),
    name: member,
    interests: fc.oneof(fc.array(member), member),
    consent: member,
    cfbe_cfg: cfg,
    cfbe_hp: fc.oneof({ weight: 4, arbitrary: fc.constant("") }, member),
    cfbe_token: token,
  };
  return fc.oneof({ weight: 2, arbitrary: fc.record(fields) }, fc.record(fields, { requiredKeys: [] }));
};
export const hookBody = fc.record({
  type: fc.oneof(fc.constantFrom("subscribe", "resubscribe", "unsubscribe", "bounce", "open"), member),
  automationId: fc.option(member, { nil: undefined }),
  contact: fc.oneof(fc.record({ email: member }), member),
  emailData: fc.oneof(fc.record({ to: member }), member),
  subscription: fc.oneof(
    fc.record({
      email: member,
      status: member,
      subscriberList: fc.oneof(fc.record({ _id: member }), member),
    }),
    member,
  ),
}, { requiredKeys: [] });

/** Returns the JSON of a value, or its string form if it has no JSON. */
export function text(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "undefined";
  } catch {
    return String(Object.prototype.toString.call(value));
  }
}
export const path = fc.oneof(
  fc.constantFrom(
    "/cfbe.json",
    "/cfbe.js",
    "/cfbe/form.js",
    "/healthz",
    "/",
    "//",
    "/%00",
    "/%ff",
    "/cfbe/..%2f..%2fserver%2fmain.ts",
  ),
  fc.constantFrom(
    ...["/subscribe", "/form-token", "/provider-hook", "/cart-email", "/", "/%", "/x/../subscribe"].map((
      end,
    ) => NAMESPACE + end),
  ),
  fc.constantFrom("/ops/status", "/ops/sign", "/ops/books", "/ops/nothing", "/checkout-session", "/admin"),
  fc.constantFrom(
    "/sandbox",
    "/sandbox/faults",
    "/sandbox/webhook",
    "/sandbox/inbox.json",
    "/sandbox/faults.json",
    "/sandbox/assets/..%2f..%2fsandbox.ts",
  ),
  fc.constantFrom(
    "/sandbox/confirm/x",
    "/sandbox/api/v1/projectId/x/contacts",
    "/sandbox/api/v1/projectId/PROJECT/contacts/x%40y",
  ),
  fc.constantFrom(
    "/sandbox/api/v1/projectId/PROJECT/subscriber-lists/LIST/subscribers",
    "/sandbox/api/v1/projectId/PROJECT/webhook",
    "/demo",
    "/demo/journey",
  ),
  fc.webPath(),
);
export const query = fc.oneof(
  fc.constant(""),
  fc.webQueryParameters().map((parameters) => `?${parameters}`),
  fc.constantFrom(
    "?email=ada@example.com",
    "?email=%ff",
    "?locale=__proto__",
    "?limit=-1&skip=1e9",
    "?locale=" + "x".repeat(500),
  ),
);
export const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PROPFIND");
const value = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abc 019,;=*/."%-_'), maxLength: 40 }),
  fc.constantFrom(
    "Bearer x",
    "Bearer ",
    "Basic eDp4",
    "en-US,de;q=0.5,*;q=nan",
    "1.2.3.4, ::1",
    "null",
    "x".repeat(4_000),
  ),
);
const name = fc.constantFrom(
  "authorization",
  "x-cfbe-secret",
  "accept-language",
  "origin",
  "x-real-ip",
  "x-forwarded-for",
  "content-type",
  "if-none-match",
  "cookie",
  "x-wp-nonce",
  "content-encoding",
  "accept",
  "range",
  "x-http-method-override",
);
export const headers = fc.dictionary(name, value, { maxKeys: 4 });
