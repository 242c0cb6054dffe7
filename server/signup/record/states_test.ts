import assert from "node:assert/strict";
import {
  LIST_STATUSES,
  type ListStatus,
  LOCAL_STATUSES,
  type LocalStatus,
} from "../../../shared/outcomes.ts";
import { PENDING_MAX_AGE_MS } from "../../../shared/limits.ts";
import type { SignupRecord } from "./row.ts";
import { applyListStatus, explainedStatus, hasExpired, InvalidMove, move, renewWait } from "./states.ts";

const NOW = 1_000;
const record = (status: LocalStatus, more: Partial<SignupRecord> = {}): SignupRecord => ({
  v: 1,
  email: "ada@example.com",
  list: "l",
  status,
  since: 1,
  tags: [],
  source: "popup",
  createdAt: 1,
  updatedAt: 1,
  ...more,
});

/** The table of decision 18, independent of the code. */
const ALLOWED = new Set([
  ...["queued>pending", "queued>active", "queued>failed"],
  ...["pending>active", "pending>failed", "pending>expired"],
  ...["failed>queued", "failed>active", "expired>queued", "expired>active"],
]);
for (const from of LOCAL_STATUSES) {
  for (const to of LOCAL_STATUSES) {
    if (from === to) continue;
    const allowed = ALLOWED.has(`${from}>${to}`);
    Deno.test(`a signup that is ${from} ${allowed ? "may" : "can't"} become ${to}`, () => {
      if (!allowed) return void assert.throws(() => move(record(from), to, NOW), InvalidMove);
      const moved = move(record(from, { reason: "old" }), to, NOW);
      const history = [{ at: NOW, kind: "status", from, to }];
      assert.deepEqual(moved, { ...record(from), status: to, since: NOW, updatedAt: NOW, history });
    });
  }
}

Deno.test("an invalid move names both statuses", () => {
  assert.throws(() => move(record("active"), "queued", NOW), {
    name: "InvalidMove",
    message: "A signup that is active can't become queued",
  });
});

Deno.test("a signup that fails at the provider has the reason", () => {
  const reasons = {
    unsubscribed: "The address has unsubscribed from the list.",
    suppressed: "The provider suppresses the address.",
    bounced: "Emails to the address bounce.",
  };
  for (const [seen, reason] of Object.entries(reasons)) {
    assert.equal(applyListStatus(record("pending"), seen as ListStatus, "poll", NOW).reason, reason);
  }
});

Deno.test("the response to an earlier request changes nothing, unless the later time is one to come", () => {
  const before = record("active", { listStatus: "active", listStatusAt: 500 });
  assert.equal(applyListStatus(before, "pending", "poll", NOW, 499), before);
  assert.equal(applyListStatus(before, "paused", "poll", NOW, 501).listStatus, "paused");
  const ahead = record("active", { listStatus: "active", listStatusAt: NOW + 1 });
  assert.equal(applyListStatus(ahead, "paused", "poll", NOW, 499).listStatus, "paused");
});

Deno.test("keeping the status changes neither `since` nor the reason, only the new facts", () => {
  for (const status of LOCAL_STATUSES) {
    const before = record(status, { reason: "why" });
    assert.deepEqual(move(before, status, NOW, { listStatus: "paused" }), {
      ...before,
      listStatus: "paused",
      updatedAt: NOW,
      history: [{ at: NOW, kind: "list", status: "paused" }],
    });
  }
});

/** The local status after a read of each list status. */
const STATUS_AFTER_READ: Record<LocalStatus, Record<ListStatus, LocalStatus>> = {
  queued: row("queued", "active", "queued"),
  pending: row("pending", "active", "failed"),
  active: row("active", "active", "active"),
  failed: row("failed", "active", "failed"),
  expired: row("expired", "active", "expired"),
};
function row(
  ifPending: LocalStatus,
  ifConfirmed: LocalStatus,
  ifRejected: LocalStatus,
): Record<ListStatus, LocalStatus> {
  return {
    pending: ifPending,
    active: ifConfirmed,
    paused: ifConfirmed,
    unsubscribed: ifRejected,
    suppressed: ifRejected,
    bounced: ifRejected,
  };
}
for (const from of LOCAL_STATUSES) {
  for (const seen of LIST_STATUSES) {
    Deno.test(`${from} becomes ${STATUS_AFTER_READ[from][seen]} when the provider reports the status ${seen}`, () => {
      const after = applyListStatus(record(from), seen, "webhook", NOW);
      assert.equal(after.status, STATUS_AFTER_READ[from][seen]);
      assert.equal(after.listStatus, seen);
      const confirms = after.status === "active" && from !== "active";
      assert.deepEqual(after.confirmed, confirms ? { at: NOW, by: "webhook" } : undefined);
      assert.equal(after.reason !== undefined, from === "pending" && after.status === "failed");
      assert.equal(applyListStatus(after, seen, "poll", NOW + 1), after, "a second read changes nothing");
    });
  }
}

Deno.test("only pending signups expire, after 30 days", () => {
  const day = 24 * 60 * 60 * 1000;
  assert.equal(PENDING_MAX_AGE_MS, 30 * day);
  assert.equal(hasExpired(record("pending"), 30 * day), false);
  assert.equal(hasExpired(record("pending"), 30 * day + 1), true);
  for (const status of LOCAL_STATUSES) {
    if (status !== "pending") assert.equal(hasExpired(record(status), 99 * day), false);
  }
});

Deno.test("only a wait for a confirmation begins anew", () => {
  assert.equal(renewWait(record("pending"), NOW).since, NOW);
  assert.equal(renewWait(record("active", { pendingSince: 1 }), NOW).pendingSince, NOW);
  for (const status of LOCAL_STATUSES) {
    const before = record(status);
    if (status !== "pending") assert.equal(renewWait(before, NOW), before);
  }
});

Deno.test("a provider that does not say why it blocks an address replaces only a status that is no such reason", () => {
  for (const known of [undefined, ...LIST_STATUSES]) {
    const before = known ? { listStatus: known } : {};
    const isReason = known === "bounced" || known === "suppressed";
    const read = { status: "unsubscribed", isUnexplained: true } as const;
    assert.equal(explainedStatus(before, read), isReason ? known : "unsubscribed", known);
    assert.equal(explainedStatus(before, { status: "unsubscribed" }), "unsubscribed", known);
    assert.equal(explainedStatus(before, { status: "active" }), "active", known);
  }
});
