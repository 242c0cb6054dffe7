import { SIGNUP_SOURCES } from "../../../shared/contract.ts";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { putRecord } from "../../signup/record/record.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import type { SubscriberQuery } from "../search/query.ts";
import { seededRandom } from "../../../dev/testing/seeded_random.ts";

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 24 * 60 * 60 * 1000;
const RECORDS_PER_COMMIT = 100;
/** The database writes them to the disk together. */
const COMMITS_AT_ONCE = 20;

/**
 * Returns a record as years of signups would leave them: most are active, some forms and sources are rare, one address
 * in ten is at `rare.example`, and no two have the same time.
 */
function sampleRecord(index: number, random: { float(): number }): SignupRecord {
  const pick = <T>(values: readonly T[], first: number): T =>
    random.float() < first ? values[0]! : values[Math.floor(random.float() * values.length)]!;
  const status = pick(["active", ...LOCAL_STATUSES] as const, 0.7);
  const at = NOW - index * 1_000;
  const domain = index % 10 === 3 ? "rare.example" : `mail${index % 7}.example`;
  return {
    v: 2,
    email: `p${String(index * 7919 % 1_000_003).padStart(7, "0")}@${domain}`,
    list: random.float() < 0.8 ? "news" : "offers",
    status,
    since: at + DAY_MS,
    ...(status !== "queued" && { listStatus: pick(["active", ...LIST_STATUSES] as const, 0.7) }),
    tags: [],
    source: pick(SIGNUP_SOURCES, 0.5),
    ...(random.float() < 0.5 && { form: pick(["footer", "sidebar", "landing"], 0.8) }),
    ...(index % 2 === 0 && { fields: { size: index % 4 === 0 ? "s" : "l" } }),
    page: { path: `/blog/${index % 2}`, utm: { campaign: `campaign-${index % 2}` } },
    createdAt: at,
    updatedAt: at,
  };
}

/** Every kind of search. Each has more than two pages of results in a thousand sample records. */
export const SAMPLE_SEARCHES: Record<string, SubscriberQuery> = {
  "all records": {},
  "an address": { term: { by: "address", email: "p0079190@mail3.example" } },
  "a prefix of addresses": { term: { by: "prefix", prefix: "p0" } },
  "a domain": { term: { by: "domain", domain: "mail1.example" } },
  "a local status": { status: "active" },
  "a list status": { listStatus: "active" },
  "a form": { form: "footer" },
  "a source": { source: "shortcode" },
  "an answer": { answer: { field: "size", operator: "is", value: "l" } },
  "a page and a campaign": { path: "/blog/*", campaign: "campaign-1" },
  "a range of days": { from: NOW - 900_000, until: NOW - 100_000 },
  "several filters": {
    term: { by: "domain", domain: "mail1.example" },
    status: "active",
    source: "shortcode",
    from: NOW - 900_000,
  },
};

/** Inserts `count` sample records, in commits of a size that the database accepts. */
export async function insertSampleRecords(kv: Kv, count: number): Promise<void> {
  const random = seededRandom(1);
  let commits: Promise<unknown>[] = [];
  for (let from = 0; from < count; from += RECORDS_PER_COMMIT) {
    const until = Math.min(count, from + RECORDS_PER_COMMIT);
    const tx = kv.atomic();
    for (let i = from; i < until; i++) putRecord(tx, null, sampleRecord(i, random));
    commits.push(tx.commit());
    if (commits.length < COMMITS_AT_ONCE && until < count) continue;
    await Promise.all(commits);
    commits = [];
  }
}
