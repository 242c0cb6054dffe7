/**
 * Returns what a module posts that is run in a worker. A worker has modules of its own, so the module may add to a table of
 * the program without another test that meets it.
 */
export async function postedBy<T>(module: URL): Promise<T> {
  const worker = new Worker(module, { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
    });
  } finally {
    worker.terminate();
  }
}
