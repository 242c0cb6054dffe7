/** Pages of earlier versions, and where their content is now. */
const MOVED: Readonly<Record<string, (query: URLSearchParams) => string | undefined>> = {
  "/form": () => "/form-defaults",
  "/texts": (query) => `/form-defaults${searchOf(query)}`,
  "/forms": (query) => query.has("form") ? `/form-settings${searchOf(query)}` : undefined,
};

/** Returns the present path and query of a page that has moved; undefined for every other page. */
export function movedPage(path: string, query: URLSearchParams): string | undefined {
  return Object.hasOwn(MOVED, path) ? MOVED[path]!(query) : undefined;
}

function searchOf(query: URLSearchParams): string {
  const search = query.toString();
  return search && `?${search}`;
}
