/** Calls `fn` with each item, three at a time, because browsers mostly wait. */
export async function forEachConcurrently<T>(
  items: readonly T[],
  fn: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await fn(item);
  };
  await Promise.all([worker(), worker(), worker()]);
}
