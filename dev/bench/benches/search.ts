import type { Bench } from "../bench.ts";
import { openStoredRecords } from "../server.ts";
import type { SearchCost } from "../stored_records.ts";

const FEW = 1_000;

/** Every kind of search, and its next page, in a thousand records and in many. */
export const search: Bench = {
  rounds: 1,
  async open(checkout, { records }) {
    await using stack = new AsyncDisposableStack();
    const few = stack.use(await openStoredRecords(checkout, FEW));
    const many = stack.use(await openStoredRecords(checkout, records));
    const running = stack.move();
    return {
      async measure() {
        const [fewCosts, manyCosts] = [
          await few.ask<SearchCost[]>("search"),
          await many.ask<SearchCost[]>("search"),
        ];
        const growth = manyCosts.map((cost, at) => {
          const other = fewCosts[at]!;
          console.error(`search: ${cost.name.padEnd(28)} ${shown(other)} → ${shown(cost)}`);
          return (cost.reads + cost.rows) / (other.reads + other.rows);
        });
        return {
          "search.growth": Math.max(...growth),
          "search.slowest": Math.max(...manyCosts.map(({ ms }) => ms)),
        };
      },
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    };
  },
};

function shown({ reads, rows, ms }: SearchCost): string {
  return `${reads} reads, ${rows} rows, ${ms.toFixed(1)} ms`;
}
