/** Varnish as a page cache. */
import type { CacheKind } from "./cache.ts";

const REPORT_HITS = `
sub vcl_deliver {
  if (obj.hits > 0) { set resp.http.X-Cache = "HIT"; } else { set resp.http.X-Cache = "MISS"; }
}`;

/** Stores every response for a day. URLs with different queries are the same page. */
const GREEDY = `
sub vcl_hash {
  hash_data(regsub(req.url, "\\?.*$", ""));
  return (lookup);
}
sub vcl_backend_response {
  set beresp.ttl = 1d;
  return (deliver);
}`;

export const varnish: CacheKind = {
  name: "Varnish",
  command: "varnishd",
  configFile: "default.vcl",
  config: ({ origin, greedy }) =>
    `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${origin}"; }${REPORT_HITS}${greedy ? GREEDY : ""}
`,
  args: ({ folder, port }) => [
    "-F", // stays in the foreground
    ...["-f", `${folder}/default.vcl`],
    ...["-a", `127.0.0.1:${port}`],
    ...["-n", `${folder}/work`],
    ...["-s", "malloc,16m"],
    ...["-T", "none"],
  ],
};
