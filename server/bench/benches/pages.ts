import type { Bench } from "../bench.ts";
import type { Reads } from "../counted_reads.ts";
import { startServer } from "../server.ts";
import { median } from "../statistics.ts";

const PASSWORD = "a password for benchmarks";
const WARM_UP = 5;
/** Pages besides those of the registry: other queries of pages that read much. */
const QUERIES = [
  "/overview?days=90",
  "/overview?from=2026-01-01&to=2026-06-30&form=footer",
  "/jobs?state=dead",
  "/jobs?state=parked",
];
/** Searches for subscribers, by the field of the form. */
const SEARCHES = [{ q: "@rare.example" }, { q: "p00*" }, { status: "expired" }];

/** Every page of the admin with many records, requested one after the other by a signed-in admin. */
export const pages: Bench = {
  rounds: 1,
  async open(checkout, { records, quick }) {
    const server = await startServer(checkout, {
      records,
      env: { CFBE_ADMIN_PASSWORD: PASSWORD, CFBE_PROVIDER: "sandbox" },
    });
    const admin = await signIn(server.url);
    const paths = [...await server.ask<string[]>("pages"), ...QUERIES, ...await admin.found()];
    return {
      async measure() {
        const times = new Map<string, number[]>();
        for (const path of paths) {
          for (let i = 0; i < WARM_UP; i++) await admin.timeOf(path);
          const all: number[] = [];
          for (let i = 0; i < (quick ? 10 : 40); i++) all.push(await admin.timeOf(path));
          times.set(path, all);
        }
        const reads = new Map<string, Reads>();
        await server.ask("reads");
        for (const path of paths) {
          await admin.timeOf(path);
          reads.set(path, await server.ask<Reads>("reads"));
        }
        for (const [path, all] of times) console.error(shown(path, all, reads.get(path)!));
        return {
          "pages.median": median([...times.values()].flat()),
          "pages.slowest": Math.max(...[...times.values()].map(median)),
          "pages.worst": Math.max(...[...times.values()].flat()),
          "pages.reads": Math.max(...[...reads.values()].map(({ calls }) => calls)),
          "pages.rows": Math.max(...[...reads.values()].map(({ rows }) => rows)),
        };
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

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
    /** Returns the paths of the searches, of a second page, and of one signup. */
    async found(): Promise<string[]> {
      const searches = [];
      for (const fields of SEARCHES) {
        const redirect = await post("/subscribers", fields, cookie);
        await redirect.body?.cancel();
        searches.push(redirect.headers.get("location")!.replace("/admin", ""));
      }
      const html = await (await get("/subscribers")).text();
      const [signup] = /\/subscriber\?[^"]+/.exec(html) ?? [];
      const [, next] = /href="\/admin([^"]+)" rel="next"/.exec(html) ?? [];
      if (!signup || !next) throw new Error("The Subscribers page shows no signups");
      return [...searches, next.replaceAll("&amp;", "&"), signup.replaceAll("&amp;", "&")];
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

function shown(path: string, times: number[], { calls, rows }: Reads): string {
  const name = path.replace(/=[^&]{24,}/g, "=…").padEnd(52);
  const [middle, worst] = [median(times), Math.max(...times)].map((each) => each.toFixed(1));
  return `pages: ${name} ${middle} ms, at most ${worst} ms, ${calls} reads, ${rows} rows`;
}
