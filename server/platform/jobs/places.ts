/**
 * How many due jobs without a place a claim passes over, to find one that has a place: usually no more than it reads at
 * once anyway, and now and then many.
 */
const PASSED_OVER = { usually: 31, whenSearching: 10_000 };
/** How often to search far into a queue of jobs that have no place, at most, in milliseconds. */
export const SEARCH_EVERY_MS = 1_000;
/** How much of a pause each job is that a search has passed over: searches of a long queue take no more of the time. */
const PAUSE_PER_JOB_MS = 2;

/** What decides which place a job takes: those that wait for the first time do not wait for those that failed. */
export interface Kind {
  /** See `kindOf`. */
  kind: string;
  isRetry: boolean;
}

/** Which due jobs one claim may take. */
export interface Places {
  /** Takes a place for a job. @returns false if there is none */
  take(kind: Kind): boolean;
  /** How many jobs without a place to pass over. */
  readonly passOver: number;
}

/** For claims without limits of kinds. */
export const ANY_PLACE: Places = { take: () => true, passOver: Infinity };

/**
 * Counts the jobs that run, so that no kind of job keeps the others waiting: `shared` places are for all jobs, three
 * quarters of them at most for retries. Each kind has one more place of its own. While a provider times out, hundreds of
 * deliveries fill the shared places; alerts, erasures and new signups run nevertheless.
 */
export function createPlaces(shared: number) {
  const running = new Map<string, number>();
  const forRetries = Math.max(1, Math.floor(shared * 3 / 4));
  let retries = 0;
  let all = 0;
  let searchedAt = -Infinity;
  let pauseMs = SEARCH_EVERY_MS;

  const keyOf = ({ kind, isRetry }: Kind) => `${kind} ${isRetry}`;
  const change = (kind: Kind, by: 1 | -1) => {
    running.set(keyOf(kind), (running.get(keyOf(kind)) ?? 0) + by);
    if (kind.isRetry) retries += by;
    all += by;
  };

  function hasPlace(kind: Kind): boolean {
    if (all < shared && !(kind.isRetry && retries >= forRetries)) return true;
    return (running.get(keyOf(kind)) ?? 0) === 0;
  }

  return {
    enter: (kind: Kind) => change(kind, 1),
    leave: (kind: Kind) => change(kind, -1),
    /** Returns how many shared places are free. */
    free: () => Math.max(0, shared - all),
    /** Returns whether a claim is useless now: the shared places are taken, and others were looked for not long ago. */
    isFull: (now: number) => all >= shared && Math.abs(now - searchedAt) < pauseMs,
    /** Begins a claim. The places it takes count until `end` returns them; the jobs that it got `enter` by themselves. */
    claim(now: number): Places & { end(): { refused: boolean } } {
      const searches = Math.abs(now - searchedAt) >= pauseMs;
      let passedOver = 0;
      const taken: Kind[] = [];
      // A place that becomes free during the claim is not for jobs behind one that was passed over.
      const refused = new Set<string>();
      return {
        passOver: searches ? PASSED_OVER.whenSearching : PASSED_OVER.usually,
        take(kind) {
          if (refused.has(keyOf(kind)) || !hasPlace(kind)) {
            refused.add(keyOf(kind));
            passedOver++;
            return false;
          }
          change(kind, 1);
          taken.push(kind);
          return true;
        },
        end() {
          for (const kind of taken) change(kind, -1);
          if (refused.size > 0 && searches) {
            searchedAt = now;
            pauseMs = Math.max(SEARCH_EVERY_MS, passedOver * PAUSE_PER_JOB_MS);
          }
          return { refused: refused.size > 0 };
        },
      };
    },
  };
}
