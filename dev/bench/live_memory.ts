/** Memory of a process in bytes, after its garbage was collected. */
export interface LiveMemory {
  heap: number;
  /** Memory that V8 keeps for the heap, used or free. */
  reserved: number;
  /** Memory outside the heap that JavaScript objects own. */
  external: number;
}

const TURNS = 5;
const TURN_MS = 20;

/**
 * Returns the live memory of this process, which needs V8's flag `--expose-gc`. Collects garbage in several turns,
 * because what weak references and timers held is freed only at the end of a turn.
 */
export async function liveMemory(): Promise<LiveMemory> {
  const { gc } = globalThis as unknown as { gc(): void };
  for (let turn = 0; turn < TURNS; turn++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  }
  const { heapUsed, heapTotal, external } = Deno.memoryUsage();
  return { heap: heapUsed, reserved: heapTotal, external };
}
