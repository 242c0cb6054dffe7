import { isCountedForm } from "../../forms/public/test_form.ts";
import { z } from "zod";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Audit } from "../../platform/audit/audit.ts";
import { BadAuditCursor } from "../../platform/audit/search.ts";
import type { Log } from "../../platform/deps.ts";
import type { Scope } from "../../platform/tokens/scopes.ts";
import { transport } from "../../platform/http/outbound/transport.ts";
import { allOpenAlerts, type DatabaseAlert } from "../alerts/database_alert.ts";
import { pastAlerts } from "../alerts/rows.ts";
import { createJobAdmin } from "../../platform/jobs/job_admin.ts";
import { JOB_GROUP, JOB_STATES } from "../../platform/jobs/row.ts";
import type { ExperimentCounts } from "../../forms/experiments/counts.ts";
import { type DetailedReport, experimentReport, experimentReports } from "../../forms/experiments/report.ts";
import { exportedForm } from "../../forms/images/form_images.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Counters } from "../../platform/observe/counters.ts";
import type { WebhookCalls } from "../../platform/observe/webhook_calls.ts";
import type { DoctorDeps } from "../doctor/outside.ts";
import { formOrPopup } from "../../settings/forms/all_forms.ts";
import type { FormDocument } from "../../settings/forms/form_document.ts";
import { readFormDraft } from "../../settings/forms/form_drafts.ts";
import { versionsOf } from "../../settings/forms/form_history.ts";
import { signFormConfig } from "../../forms/public/signed_config.ts";
import { BadCursor } from "../../subscribers/search/cursor.ts";
import type { SubscriberQuery, Term } from "../../subscribers/search/query.ts";
import { migrationReport } from "../../subscribers/migration/report.ts";
import { type MigrationRow, readMigration } from "../../subscribers/migration/run.ts";
import { PAGE_MAX, PAGE_SIZE, search } from "../../subscribers/search/search.ts";
import { AGENT_QUERIES } from "./agent_queries.ts";
import type { Sites } from "../../platform/tokens/sites/store.ts";
import { bridgeFacts } from "./bridge.ts";
import { countsSince } from "./counts.ts";
import { diagnose, testConnection } from "../doctor/doctor.ts";
import { failures } from "./failures.ts";
import { signupStatuses } from "./signup_status.ts";
import { settingsShown } from "./settings.ts";
import { recentDeliveries, webhookState } from "../provider/webhook.ts";

/** Thrown for invalid input of a query. The message says what is wrong. */
export class InvalidQuery extends Error {
  override readonly name = "InvalidQuery";
}

const number = (min: number, max: number) => z.number().int().min(min).max(max);
const cursor = z.string().max(1000).optional();
const noInput = z.object({});

/**
 * All read-only queries: for the command line (with or without a running service), for agents, and for scripts
 * (`POST {base_url}/ops/<query>` with an API token that has the query's scope, and a JSON body).
 */
export const queries = {
  /** The signups of one email address. */
  status: defineQuery(AGENT_QUERIES.status, async (app, { email }) => {
    const status = await signupStatuses(app, email);
    if (!status) throw new InvalidQuery("`email` must be an email address.");
    return status;
  }),
  /** A page of records, newest first. `next` is the cursor of the next page, even if filters left this one empty. */
  signups: defineQuery({
    scope: "people",
    title: "List signups",
    input: z.object({
      /** An email address, the start of one, or a domain such as `@example.com`. */
      search: z.string().trim().min(1).max(254).optional(),
      status: z.enum(LOCAL_STATUSES).optional(),
      listStatus: z.enum(LIST_STATUSES).optional(),
      list: z.string().max(200).optional(),
      form: z.string().max(64).optional(),
      from: z.number().optional(),
      until: z.number().optional(),
      after: cursor,
      limit: number(1, PAGE_MAX).default(PAGE_SIZE),
    }),
  }, async (app, { search: text, list, after, limit, ...query }) => {
    const term = text === undefined ? {} : { term: termOf(text) };
    const page = await rejectBadCursor(() =>
      search(app.kv, withoutUndefined({ ...query, ...term }), { after, limit })
    );
    return {
      ...page,
      records: page.records.filter((record) => list === undefined || record.list === list),
    };
  }),
  jobs: defineQuery({
    scope: "people",
    title: "List background jobs",
    input: z.object({
      state: z.enum(JOB_STATES).default("waiting"),
      after: cursor,
      limit: number(1, 100).default(50),
    }),
  }, async (app, query) => {
    const { rows, ...page } = await rejectBadCursor(() => createJobAdmin(app).list(query));
    return { rows: rows.map((row) => ({ group: JOB_GROUP, ...row })), ...page };
  }),
  /** The open alerts, the worst first, and those of the last 30 days with the weekly summaries, newest first. */
  alerts: defineQuery(
    { scope: "read", title: "List alerts", input: noInput },
    async (app) => ({ open: await allOpenAlerts(app), past: await pastAlerts(app.kv) }),
  ),
  settings: defineQuery(
    { scope: "read", title: "Show the settings, without secrets", input: noInput },
    (app) => settingsShown(app.settings),
  ),
  /** The experiments of all forms and of the popup. */
  experiments: defineQuery(
    { scope: "read", title: "List experiments", input: noInput },
    (app) => experimentReports(app),
  ),
  /** The experiment of one form, or without `form` of the popup, and its counts by day. Neither, if it has none. */
  experiment: defineQuery({
    scope: "read",
    title: "Show an experiment by day",
    input: z.object({ form: z.string().max(64).optional() }),
  }, async (app, { form }): Promise<Partial<DetailedReport>> => {
    const found = await experimentReport(app, formOrPopup(form));
    return found ?? {};
  }),
  /** A published form as a document with its images, and whether it has unpublished changes. Neither, if there is none. */
  form: defineQuery(
    { scope: "read", title: "Export a form", input: z.object({ name: z.string().max(64) }) },
    async (app, { name }): Promise<{ document?: FormDocument; unpublished?: boolean }> => {
      const document = await exportedForm(app, name);
      if (!document) return {};
      return { document, unpublished: await readFormDraft(app.kv, { name }) !== undefined };
    },
  ),
  /** The published versions of a form, or without `form` of the popup, the newest first. Their contents are on its page. */
  form_versions: defineQuery({
    scope: "read",
    title: "List versions of a form",
    input: z.object({
      form: z.string().max(64).optional(),
      before: z.string().max(80).optional(),
      limit: number(1, 100).default(50),
    }),
  }, async (app, { form, ...page }) => {
    const versions = await versionsOf(app.kv, { name: formOrPopup(form) }, page);
    return { versions: versions.map(({ content: _, ...version }) => version) };
  }),
  /** A page of the audit log, newest first. `before` is the cursor of the next page. */
  audit: defineQuery({
    scope: "people",
    title: "List the audit log",
    input: z.object({ before: z.string().max(200).optional(), limit: number(1, 500).default(100) }),
  }, async (app, page) => {
    try {
      return await app.admin.audit.list({}, page);
    } catch (error) {
      if (!(error instanceof BadAuditCursor)) throw error;
      throw new InvalidQuery("`before` must be the cursor of an earlier page.");
    }
  }),
  /** Whether the audit log is what was written: see `verifyChain`. */
  audit_check: defineQuery({
    scope: "operate",
    title: "Verify the audit log",
    input: z.object({ expected: z.object({ n: number(1, 1e15), hash: z.string().max(100) }).optional() }),
  }, (app, { expected }) => app.admin.audit.verify(expected)),
  /** The request counters since the first one, summed, without test signups. */
  books: defineQuery(
    { scope: "read", title: "Show all request counters", input: noInput },
    (app) => app.counters.totals(0, isCountedForm),
  ),
  counts: defineQuery(AGENT_QUERIES.counts, (app, { hours }) => countsSince(app, hours)),
  failures: defineQuery(AGENT_QUERIES.failures, (app, { limit }) => failures(app, limit)),
  sign: defineQuery(
    // Without what proves a consent, and without variants: only this server knows what was shown.
    { ...AGENT_QUERIES.sign, input: AGENT_QUERIES.sign.input.strict() },
    (app, config) => ({ cfg: signFormConfig(app.keyring, config) }),
  ),
  /** What the WordPress plugin can choose from, and checks its own settings against. */
  bridge: defineQuery({
    scope: "read",
    title: "Show the names of forms and lists, and what the WordPress plugin needs",
    input: noInput,
  }, (app) => bridgeFacts(app)),
  connection: defineQuery(
    { scope: "operate", title: "Test the connection to the provider", input: noInput },
    (app) => testConnection(app),
  ),
  webhook: defineQuery(
    { scope: "read", title: "Show the webhook at the provider", input: noInput },
    (app) => webhookState(app),
  ),
  /** The latest move to another provider, if there was one. */
  migration: defineQuery(
    { scope: "read", title: "Show the latest move to another provider", input: noInput },
    async ({ kv }): Promise<{ run?: Omit<MigrationRow, "position"> }> => {
      const latest = await readMigration(kv);
      if (!latest) return {};
      const { position: _, ...run } = latest;
      return { run };
    },
  ),
  /** A page of the people whom it has not moved, and why. */
  migration_report: defineQuery({
    scope: "people",
    title: "List the people whom it did not move",
    input: z.object({ after: cursor }),
  }, ({ kv }, { after }) => migrationReport(kv, after)),
  deliveries: defineQuery(
    { scope: "read", title: "List the latest webhook calls", input: noInput },
    (app) => recentDeliveries(app),
  ),
  doctor: defineQuery(
    { scope: "operate", title: "Diagnose cfbe and what is around it", input: noInput },
    (app) => diagnose(app, { fetch: transport }),
  ),
};

export interface QueryDeps extends Omit<DoctorDeps, "fetch"> {
  config: Config;
  log: Log;
  keyring: Keyring;
  counters: Counters;
  experimentCounts: Pick<ExperimentCounts, "days">;
  webhookCalls: WebhookCalls;
  databaseAlert: DatabaseAlert;
  sites: Pick<Sites, "connected">;
  admin: DoctorDeps["admin"] & { audit: Pick<Audit, "list" | "verify"> };
}

interface QueryAbout<I extends z.ZodType> {
  /** What it shows, for the table in docs/security.md. */
  title: string;
  /** What an API token needs. */
  scope: Scope;
  input: I;
}

interface Query<I extends z.ZodType, A> extends QueryAbout<I> {
  run(app: QueryDeps, input: z.output<I>): Promise<A> | A;
}

function defineQuery<I extends z.ZodType, A>(about: QueryAbout<I>, run: Query<I, A>["run"]): Query<I, A> {
  return { ...about, run };
}

export type QueryName = keyof typeof queries;
export type QueryInput<Q extends QueryName> = z.input<(typeof queries)[Q]["input"]>;
export type QueryResult<Q extends QueryName> = Awaited<ReturnType<(typeof queries)[Q]["run"]>>;

export function isQueryName(name: string): name is QueryName {
  return Object.hasOwn(queries, name);
}

/**
 * Checks the input of a query and runs it.
 *
 * @throws {InvalidQuery} when the input is invalid, naming the fields
 */
export async function runQuery<Q extends QueryName>(
  app: QueryDeps,
  name: Q,
  input: unknown,
): Promise<QueryResult<Q>> {
  const { input: schema, run } = queries[name] as unknown as Query<z.ZodType, QueryResult<Q>>;
  const parsed = schema.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`.trim());
    throw new InvalidQuery(problems.join("; "));
  }
  return await run(app, parsed.data);
}

/** Turns the errors that listings throw for an invalid cursor into `InvalidQuery`. */
async function rejectBadCursor<T>(list: () => Promise<T>): Promise<T> {
  try {
    return await list();
  } catch (error) {
    const isBadCursor = error instanceof TypeError || error instanceof BadCursor;
    throw isBadCursor ? new InvalidQuery("`after` must be the cursor of an earlier page.") : error;
  }
}

function termOf(text: string): Term {
  const lower = text.toLowerCase();
  if (lower.startsWith("@")) return { by: "domain", domain: lower.slice(1) };
  return { by: "prefix", prefix: lower };
}

/** Returns the query without its undefined members, as the search expects. */
function withoutUndefined(query: Partial<Record<keyof SubscriberQuery, unknown>>): SubscriberQuery {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}
