import assert from "node:assert/strict";
import { wrap } from "./wrap.ts";

class Seats {
  #free = 2;
  readonly take = (): number => --this.#free;
  count?(): number;
  isFull(): boolean {
    return this.#free === 0;
  }
  get free(): number {
    return this.#free;
  }
}

Deno.test("what is not replaced runs on the wrapped object itself, private fields and getters included", () => {
  const wrapped = wrap(new Seats(), { take: () => -1 });
  assert.deepEqual([wrapped.take(), wrapped.free, wrapped.isFull()], [-1, 2, false]);
});

Deno.test("what is not replaced is what the wrapped object has at the time of the call", () => {
  const seats = new Seats();
  const wrapped = wrap(wrap(seats, {}), {});
  seats.isFull = () => true;
  assert.equal(wrapped.isFull(), true);
});

Deno.test("a member that is replaced by a getter is read at each access, and one replaced by undefined is missing", () => {
  let free = 5;
  const wrapped = wrap(new Seats(), {
    get free() {
      return free;
    },
    take: undefined,
  });
  free = 6;
  assert.deepEqual([wrapped.free, wrapped.take], [6, undefined]);
});

Deno.test("a member that is assigned to the wrapper changes nothing in the wrapped object, so that it can call that", () => {
  const seats = new Seats();
  const wrapped = wrap(seats, {});
  wrapped.isFull = () => !seats.isFull();
  assert.deepEqual([wrapped.isFull(), seats.isFull()], [true, false]);
});
