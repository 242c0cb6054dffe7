/** nginx with its page cache. */
import type { CacheKind, CacheSetup } from "./cache.ts";

/** Stores every response for a day. URLs with different queries are different pages. */
const GREEDY = `
      proxy_ignore_headers Cache-Control Expires Vary X-Accel-Expires Set-Cookie;
      proxy_cache_valid any 1d;`;

/** nginx writes temporary files into system folders, unless each folder is set. */
const temporaryFolders = (folder: string) =>
  ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(" ");

/**
 * Returns how to run nginx with its files in one folder, and a cache zone named `pages`.
 *
 * @param storage folder where it stores pages
 * @param http the rest of the `http` block
 */
export const nginxWith = (
  storage: (setup: CacheSetup) => string,
  http: (setup: CacheSetup) => string,
): CacheKind => ({
  name: "nginx",
  command: "nginx",
  configFile: "nginx.conf",
  // As root, nginx would run its workers as another user, who can't read the folder.
  config: (setup) =>
    `${Deno.uid() === 0 ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${setup.folder}/nginx.pid;
error_log ${setup.folder}/error.log;
events { worker_connections 64; }
http {
  access_log off;
  ${temporaryFolders(setup.folder)}
  proxy_cache_path ${storage(setup)} keys_zone=pages:1m;
${http(setup)}
}
`,
  args: ({ folder }) => ["-p", folder, "-c", `${folder}/nginx.conf`, "-e", `${folder}/error.log`],
});

export const nginx = nginxWith(
  ({ folder }) => `${folder}/cache`,
  ({ port, origin, greedy }) =>
    `  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${origin};
      proxy_set_header Host $http_host;
      proxy_cache pages;
      add_header X-Cache $upstream_cache_status always;${greedy ? GREEDY : ""}
    }
  }`,
);
