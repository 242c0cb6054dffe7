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
  { files: ["server/keys/form_token.ts"], tests: ["server/keys/form_token_test.ts"] },
  { files: ["server/limits/sliding_log.ts"], tests: ["server/limits/sliding_log_test.ts"] },
  {
    files: ["server/limits/policies.ts", "server/limits/spend.ts"],
    tests: ["server/limits", "server/signup/route_limits_test.ts"],
  },
  {
    files: ["server/kv/cas.ts", "server/kv/chains.ts"],
    tests: ["server/kv/cas_test.ts", "server/kv/chains_test.ts"],
  },
  {
    files: ["server/jobs/settle.ts", "server/jobs/retry_policy.ts"],
    tests: ["server/jobs/settle_test.ts", "server/jobs/retry_policy_test.ts"],
  },
  {
    files: ["server/jobs/queue.ts", "server/jobs/attempt.ts"],
    tests: ["conformance", "queue", "parking", "attempt", "attempt_lease", "runner", "heap"].map((name) =>
      `server/jobs/${name}_test.ts`
    ),
  },
  {
    files: ["server/signup/record/states.ts"],
    tests: ["server/signup/record/states_test.ts", "server/signup/record/record_test.ts"],
  },
  {
    files: ["server/signup/admission.ts", "server/signup/limited_commits.ts", "server/signup/service.ts"],
    tests: [
      "server/signup/service_test.ts",
      "server/signup/route_limits_test.ts",
      "server/signup/integration_route_test.ts",
      "server/hooks/filters_test.ts",
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
  { files: ["server/mail/once_mail.ts"], tests: ["server/mail/once_mail_test.ts"] },
  {
    files: ["server/carts/claims.ts"],
    tests: ["server/carts/claims_test.ts", "server/carts/mail_decision_test.ts"],
  },
];
