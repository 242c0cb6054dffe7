/** nginx with its page cache. */
import type { CacheKind } from "./cache.ts";

/** Keeps everything for a day whatever the answer says; addresses that differ by their query are two. */
const GREEDY = `
      proxy_ignore_headers Cache-Control Expires Vary X-Accel-Expires Set-Cookie;
      proxy_cache_valid any 1d;`;

/** It writes whatever it may need into folders of the system's, unless each is named. */
const temporary = (folder: string) =>
  ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((what) => `${what}_temp_path ${folder}/${what};`)
    .join(" ");

export const nginx: CacheKind = {
  name: "nginx",
  command: "nginx",
  configFile: "nginx.conf",
  // Its workers leave root's rights behind, and with them the way into the folder, unless told not to.
  config: ({ folder, port, origin, greedy }) =>
    `${Deno.uid() === 0 ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 64; }
http {
  access_log off;
  ${temporary(folder)}
  proxy_cache_path ${folder}/cache keys_zone=pages:1m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${origin};
      proxy_set_header Host $http_host;
      proxy_cache pages;
      add_header X-Cache $upstream_cache_status always;${greedy ? GREEDY : ""}
    }
  }
}
`,
  args: ({ folder }) => ["-p", folder, "-c", `${folder}/nginx.conf`, "-e", `${folder}/error.log`],
};
