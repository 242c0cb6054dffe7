import { isForeignOrigin, pageOrigin } from "../http/visitor/page_origin.ts";
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { plausibleTime } from "../time/stored_time.ts";
import { type BufferedValue, createBufferedRow } from "./buffered_row.ts";

/** A site whose pages asked for a form although its origin is not allowed. */
export interface RefusedOrigin {
  origin: string;
  /** When it last asked, in Unix milliseconds. */
  at: number;
  /** Number of requests since it was first noted. */
  count: number;
}

/** The sites that the allowed origins keep from showing forms. */
export interface RefusedOrigins {
  /** Notes a request of a page in memory, if its origin is a web origin that is not allowed. */
  note(headers: Headers): void;
  /** Writes what was noted since the last flush. Keeps it for the next flush if the write fails; never rejects. */
  flush(): Promise<void>;
  /**
   * Returns the sites of the last seven days that are still not allowed, those with the most requests first. Includes
   * what is not written yet.
   */
  recent(): Promise<RefusedOrigin[]>;
}

/** Any script can send any origin, so only the latest ones are kept. */
const KEPT = 20;
const SHOWN_MS = 7 * 24 * 60 * 60 * 1000;

const rowKey = (): Key<BufferedValue<RefusedOrigin[]>> => typed(keys.refusedOrigins());

/**
 * Creates the log of refused origins. It is one row, written once a minute, so that a request needs no commit.
 *
 * @param site the public URL and the allowed origins as they are now
 */
export function createRefusedOrigins(
  { site, ...deps }: Parameters<typeof createBufferedRow>[0] & {
    site: () => Parameters<typeof isForeignOrigin>[1];
  },
): RefusedOrigins {
  const row = createBufferedRow<RefusedOrigin[]>(deps, {
    key: rowKey(),
    name: "refused_origins",
    nothing: [],
    join,
    correct: (origins, now) => origins.map((each) => ({ ...each, at: plausibleTime(each.at, now) })),
  });
  const isRefused = (headers: Headers) => isForeignOrigin(headers, site());
  return {
    note(headers) {
      if (!isRefused(headers)) return;
      const origin = pageOrigin(headers);
      if (origin && isWebOrigin(origin)) row.note([{ origin, at: deps.clock.now(), count: 1 }]);
    },
    flush: row.flush,
    async recent() {
      const since = deps.clock.now() - SHOWN_MS;
      const found = (await row.read()).filter(({ origin, at }) =>
        at >= since && isRefused(new Headers({ origin }))
      );
      return found.sort((a, b) => b.count - a.count);
    },
  };
}

function isWebOrigin(text: string): boolean {
  const url = URL.parse(text);
  return (url?.protocol === "https:" || url?.protocol === "http:") && url.origin === text;
}

function join(earlier: RefusedOrigin[], later: RefusedOrigin[]): RefusedOrigin[] {
  const byOrigin = new Map(earlier.map((each) => [each.origin, each]));
  for (const { origin, at, count } of later) {
    const before = byOrigin.get(origin);
    byOrigin.set(origin, {
      origin,
      at: Math.max(at, before?.at ?? 0),
      count: count + (before?.count ?? 0),
    });
  }
  return [...byOrigin.values()].sort((a, b) => b.at - a.at).slice(0, KEPT);
}
