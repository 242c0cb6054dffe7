/**
 * Returns a function that loads something at its first call and then always returns the same.
 *
 * @param load called again after it has failed: its files may have been missing only during an update
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () =>
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
}
