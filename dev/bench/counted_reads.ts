/** What was read from the database. */
export interface Reads {
  /** Calls of `get` and `getMany`, and lists started. */
  calls: number;
  /** Rows returned by lists. */
  rows: number;
}

let installed = false;
const reads: Reads = { calls: 0, rows: 0 };

/**
 * Returns what this process has read since the last call. The first call returns zeros and starts to count, so that
 * counting does not slow down other measurements.
 */
export function readsSinceLastCall(): Reads {
  if (!installed) install();
  const counted = { ...reads };
  Object.assign(reads, { calls: 0, rows: 0 });
  return counted;
}

function install(): void {
  installed = true;
  const { get, getMany, list } = Deno.Kv.prototype;
  const counted = <Args extends unknown[], Result>(method: (this: Deno.Kv, ...args: Args) => Result) =>
    function (this: Deno.Kv, ...args: Args): Result {
      reads.calls++;
      return method.apply(this, args);
    };
  Object.assign(Deno.Kv.prototype, {
    get: counted(get),
    getMany: counted(getMany),
    list: counted(function (this: Deno.Kv, ...args: Parameters<typeof list>) {
      return withCountedRows(list.apply(this, args));
    }),
  });
}

function withCountedRows<Row>(rows: Deno.KvListIterator<Row>): Deno.KvListIterator<Row> {
  const next = rows.next.bind(rows);
  rows.next = async () => {
    const result = await next();
    if (!result.done) reads.rows++;
    return result;
  };
  return rows;
}
