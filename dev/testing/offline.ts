/** What a diagnosis uses in place of the network where a test's public URL leads nowhere: no name is looked up. */
export const offline = { fetch: () => Promise.reject(new TypeError("offline")) };
