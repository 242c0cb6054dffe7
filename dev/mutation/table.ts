/** Source files, and the tests that must notice when one of them is wrong. */
export interface Subject {
  files: readonly string[];
  /** The fastest tests that suffice: all of them run once per mutant. */
  tests: readonly string[];
}

const inDelivery = (...names: string[]) => names.map((name) => `server/signup/delivery/${name}.ts`);

/** What `deno task mutate` checks: the pure core, and the code that makes each effect happen exactly once. */
export const SUBJECTS: readonly Subject[] = [
  { files: ["shared/mailbox.ts"], tests: ["shared/mailbox_test.ts"] },
  { files: ["shared/popup_rules.ts"], tests: ["shared/popup_rules_test.ts"] },
  { files: ["shared/opening_rules.ts"], tests: ["shared/opening_rules_test.ts"] },
  { files: ["server/platform/keys/form_token.ts"], tests: ["server/platform/keys/form_token_test.ts"] },
  { files: ["server/platform/limits/sliding_log.ts"], tests: ["server/platform/limits/sliding_log_test.ts"] },
  {
    files: ["server/platform/http/outbound/failure.ts"],
    tests: ["server/platform/http/outbound/failure_test.ts"],
  },
  { files: ["server/providers/port/webhook_auth.ts"], tests: ["server/providers/port/webhook_auth_test.ts"] },
  {
    files: ["server/platform/limits/policies.ts", "server/platform/limits/spend.ts"],
    tests: ["server/platform/limits", "server/signup/subscribe/route_limits_test.ts"],
  },
  {
    files: ["server/platform/kv/cas.ts", "server/platform/kv/chains.ts"],
    tests: ["server/platform/kv/cas_test.ts", "server/platform/kv/chains_test.ts"],
  },
  {
    files: ["server/platform/jobs/settle.ts", "server/platform/jobs/retry_policy.ts"],
    tests: ["server/platform/jobs/settle_test.ts", "server/platform/jobs/retry_policy_test.ts"],
  },
  {
    files: ["server/platform/jobs/queue.ts", "server/platform/jobs/attempt.ts"],
    tests: ["conformance", "queue", "parking", "attempt", "attempt_lease", "runner", "heap"].map((name) =>
      `server/platform/jobs/${name}_test.ts`
    ),
  },
  {
    files: ["server/signup/record/states.ts"],
    tests: ["server/signup/record/states_test.ts", "server/signup/record/record_test.ts"],
  },
  {
    files: [
      "server/signup/subscribe/admission.ts",
      "server/signup/subscribe/limited_commits.ts",
      "server/signup/subscribe/service.ts",
    ],
    tests: [
      "server/signup/subscribe/service_test.ts",
      "server/signup/subscribe/route_limits_test.ts",
      "server/signup/subscribe/integration_route_test.ts",
      "server/settings/hooks/filters_test.ts",
    ],
  },
  { files: inDelivery("added_by"), tests: inDelivery("added_by_test") },
  { files: inDelivery("mail_budget"), tests: inDelivery("mail_budget_test") },
  { files: inDelivery("already_subscribed"), tests: inDelivery("already_subscribed_test") },
  {
    files: inDelivery("confirmation_marker", "delivery", "job", "payload", "writes"),
    tests: inDelivery(
      "job_test",
      "job_retry_test",
      "job_email_limits_test",
      "job_history_test",
      "payload_test",
    ),
  },
  {
    files: ["server/shops/systems/webhook_signature.ts", "server/shops/systems/generic/signature.ts"],
    tests: [
      "server/shops/systems/webhook_signature_test.ts",
      "server/shops/systems/generic/signature_test.ts",
    ],
  },
  { files: ["server/shops/coupons/code.ts"], tests: ["server/shops/coupons/code_test.ts"] },
  { files: ["server/operations/move/plan.ts"], tests: ["server/operations/move/plan_test.ts"] },
  { files: ["server/shops/mail/once_mail.ts"], tests: ["server/shops/mail/once_mail_test.ts"] },
  {
    files: ["server/shops/carts/claims.ts"],
    tests: ["server/shops/carts/claims_test.ts", "server/shops/carts/mail_decision_test.ts"],
  },
];
