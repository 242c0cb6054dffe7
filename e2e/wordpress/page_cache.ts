/** nginx as it is put in front of WordPress: it keeps pages for everybody, and nothing of whoever is logged in. */
import type { CacheKind } from "../hosts/cache.ts";

/** It writes whatever it may need into folders of the system's, unless each is named. */
const temporary = (folder: string) =>
  ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((what) => `${what}_temp_path ${folder}/${what};`)
    .join(" ");

/**
 * @param pages the folder it keeps them in, which the site may empty
 * @param ports of the servers behind it
 */
export const pageCache = (pages: string, ports: number[]): CacheKind => ({
  name: "nginx",
  command: "nginx",
  configFile: "nginx.conf",
  // Its workers leave root's rights behind, and with them the way into the folder, unless told not to.
  config: ({ folder, port }) =>
    `${Deno.uid() === 0 ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 64; }
http {
  access_log off;
  ${temporary(folder)}
  proxy_cache_path ${pages} keys_zone=pages:1m;
  map "$request_method $request_uri $http_cookie" $skip {
    default 0;
    ~^POST 1;
    ~/(wp-admin|wp-login|wp-json|checkout|cart) 1;
    ~wc-ajax= 1;
    ~wordpress_logged_in|woocommerce_items_in_cart 1;
  }
  upstream wordpress {
    least_conn; # Also asked while they start, which is no reason to give them up.
    ${ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(" ")}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://wordpress;
      proxy_set_header Host $http_host;
      proxy_cache pages;
      proxy_cache_valid 200 1h;
      proxy_cache_bypass $skip;
      proxy_no_cache $skip;
      add_header X-Cache $upstream_cache_status always;
    }
  }
}
`,
  args: ({ folder }) => ["-p", folder, "-c", `${folder}/nginx.conf`, "-e", `${folder}/error.log`],
});
