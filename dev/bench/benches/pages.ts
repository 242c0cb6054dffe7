import { SIGNUP_SOURCES } from "../../../shared/contract.ts";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import type { Bench } from "../bench.ts";
import type { Reads } from "../counted_reads.ts";
import { startServer } from "../server.ts";
import { longForm, richForm } from "../../testing/rich_form.ts";
import { usageOf } from "../process_usage.ts";
import { median } from "../statistics.ts";

const PASSWORD = "a password for benchmarks";
const WARM_UP = 5;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Pages besides those of the registry: other queries of pages that read much. */
const QUERIES = [
  "/overview?days=30",
  "/overview?days=90",
  `/overview?${lastDays(180)}`,
  `/sources?${lastDays(180)}`,
  "/overview?from=2026-01-01&to=2026-06-30&form=footer",
  "/jobs?state=dead",
  "/jobs?state=parked",
  "/form-settings?form=plain",
  "/form-settings?form=long",
  "/form-settings?form=rich",
  "/experiment?form=rich",
];
/** A new form, one with 14 fields, and one with 24 conditions and an experiment as well. */
const FORMS = [{ name: "plain" }, longForm("long"), richForm("rich", Date.now() - 30 * DAY_MS)];
/** Searches for subscribers, by the fields of the form: every filter, and several together. */
const SEARCHES: Record<string, string>[] = [
  { q: "@rare.example" },
  { q: "p00*" },
  ...LOCAL_STATUSES.map((status) => ({ status })),
  ...LIST_STATUSES.map((status) => ({ list_status: status })),
  { form: "footer" },
  { form: "landing" },
  { source: SIGNUP_SOURCES[0] },
  { source: "checkout" },
  { from: "2026-01-01", until: "2026-06-30" },
  { q: "@rare.example", status: "expired", source: "checkout" },
  { q: "p00*", status: "failed", form: "landing" },
];

/** Every page of the admin with many records, requested one after the other by a signed-in admin. */
export const pages: Bench = {
  rounds: 1,
  async open(checkout, { records, kv, quick }) {
    const server = await startServer(checkout, {
      records,
      kv,
      env: { CFBE_ADMIN_PASSWORD: PASSWORD, CFBE_PROVIDER: "sandbox" },
    });
    await server.ask(`forms ${encodeURIComponent(JSON.stringify(FORMS))}`);
    const admin = await signIn(server.url);
    const paths = [
      ...(await server.ask<string[]>("pages")).map((path) => [path, path] as const),
      ...QUERIES.map((path) => [path, path] as const),
      ...await admin.found(),
    ];
    return {
      async measure() {
        const times = new Map<string, number[]>();
        for (const [name, path] of paths) {
          for (let i = 0; i < WARM_UP; i++) await admin.timeOf(path);
          const all: number[] = [];
          for (let i = 0; i < (quick ? 10 : 40); i++) all.push(await admin.timeOf(path));
          times.set(name, all);
        }
        const reads = new Map<string, Reads>();
        await server.ask("reads");
        for (const [name, path] of paths) {
          await admin.timeOf(path);
          reads.set(name, await server.ask<Reads>("reads"));
        }
        for (const [name, all] of times) console.error(shown(name, all, reads.get(name)!));
        const { residentBytes } = await usageOf(server.pid);
        const { size } = await Deno.stat(server.database);
        return {
          "pages.median": median([...times.values()].flat()),
          "pages.slowest": Math.max(...[...times.values()].map(median)),
          "pages.worst": Math.max(...[...times.values()].flat()),
          "pages.reads": Math.max(...[...reads.values()].map(({ calls }) => calls)),
          "pages.rows": Math.max(...[...reads.values()].map(({ rows }) => rows)),
          "pages.file": size,
          "pages.resident": residentBytes,
        };
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

/** Returns the query of a period that ends today. */
function lastDays(days: number): string {
  const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);
  const now = Date.now();
  return `from=${isoDay(now - (days - 1) * DAY_MS)}&to=${isoDay(now)}`;
}

/** Signs in, and returns requests with the session. */
async function signIn(url: string) {
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${url}/admin${path}`, { redirect: "manual", ...init });
  const post = (path: string, fields: Record<string, string>, cookie = "") =>
    send(path, { method: "POST", headers: { origin: url, cookie }, body: new URLSearchParams(fields) });
  const entered = await post("/login", { name: "admin", password: PASSWORD });
  await entered.body?.cancel();
  const cookie = entered.headers.getSetCookie().map((each) => each.split(";")[0]).join("; ");
  const get = (path: string) => send(path, { headers: { cookie } });
  return {
    /** Returns the names and paths of the searches, of a second page, and of one signup. */
    async found(): Promise<[name: string, path: string][]> {
      const searches: [string, string][] = [];
      for (const fields of SEARCHES) {
        const redirect = await post("/subscribers", fields, cookie);
        await redirect.body?.cancel();
        const name = new URLSearchParams(fields).toString();
        searches.push([`/subscribers: ${name}`, redirect.headers.get("location")!.replace("/admin", "")]);
      }
      const html = await (await get("/subscribers")).text();
      const [signup] = /\/subscriber\?[^"]+/.exec(html) ?? [];
      const [, next] = /href="\/admin([^"]+)" rel="next"/.exec(html) ?? [];
      if (!signup || !next) throw new Error("The Subscribers page shows no signups");
      const path = (html: string) => html.replaceAll("&amp;", "&");
      return [...searches, ["/subscribers, next page", path(next)], [
        "/subscriber, of a signup",
        path(signup),
      ]];
    },
    /** Requests a page. @returns the time until its last byte, in milliseconds */
    async timeOf(path: string): Promise<number> {
      const start = performance.now();
      const response = await get(path);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${path}: status ${response.status}`);
      return performance.now() - start;
    },
  };
}

function shown(name: string, times: number[], { calls, rows }: Reads): string {
  const [middle, worst] = [median(times), Math.max(...times)].map((each) => each.toFixed(1));
  return `pages: ${name.padEnd(52)} ${middle} ms, at most ${worst} ms, ${calls} reads, ${rows} rows`;
}
