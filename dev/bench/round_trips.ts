import { Socket } from "node:net";

let installed = false;
let trips = 0;

/**
 * Returns how often this process has sent something to its database since the last call. The first call returns zero and
 * starts to count. Counts what is written to connections to this port of PostgreSQL, and the calls of Deno KV.
 */
export function roundTripsSinceLastCall(port: number): number {
  if (!installed) {
    installed = true;
    if (port > 0) countWrites(port);
    else countCalls();
  }
  const counted = trips;
  trips = 0;
  return counted;
}

function countWrites(port: number): void {
  const { write } = Socket.prototype;
  Socket.prototype.write = function (this: Socket, ...args: Parameters<typeof write>) {
    if (this.remotePort === port) trips++;
    return write.apply(this, args);
  } as typeof write;
}

function countCalls(): void {
  const counted = <Args extends unknown[], Result>(method: (...args: Args) => Result) =>
    function (this: unknown, ...args: Args): Result {
      trips++;
      return method.apply(this, args);
    };
  const { get, getMany, list, set } = Deno.Kv.prototype;
  Object.assign(Deno.Kv.prototype, {
    get: counted(get),
    getMany: counted(getMany as never),
    list: counted(list),
    set: counted(set),
    delete: counted(Deno.Kv.prototype.delete),
  });
  const { commit } = Deno.AtomicOperation.prototype;
  Deno.AtomicOperation.prototype.commit = counted(commit) as typeof commit;
}
