const encoder = new TextEncoder();

/**
 * Returns the body of a long response: one JSON line for each value.
 *
 * @param work gets a function that sends a line, and a signal that aborts when the client disconnects
 */
export function jsonLines(
  work: (line: (value: unknown) => void, signal: AbortSignal) => Promise<void>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const disconnected = new AbortController();
  return new ReadableStream({
    async start(controller) {
      const line = (value: unknown) => {
        if (!disconnected.signal.aborted) controller.enqueue(encoder.encode(JSON.stringify(value) + "\n"));
      };
      await work(line, disconnected.signal);
      if (!disconnected.signal.aborted) controller.close();
    },
    cancel: () => disconnected.abort(),
  });
}
