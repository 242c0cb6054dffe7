/** nginx as a page cache for WordPress: it stores pages for all visitors, except for logged-in users. */
import type { CacheKind } from "../hosts/cache.ts";
import { nginxWith } from "../hosts/nginx.ts";

/**
 * Returns how to run nginx in front of WordPress.
 *
 * @param pages folder where it stores pages, which WordPress can empty
 * @param ports of the PHP servers behind it
 */
export const pageCache = (pages: string, ports: number[]): CacheKind =>
  nginxWith(() => pages, ({ port }) =>
    `  map "$request_method $request_uri $http_cookie" $skip {
    default 0;
    ~^POST 1;
    ~/(wp-admin|wp-login|wp-json|checkout|cart) 1;
    ~wc-ajax= 1;
    ~wordpress_logged_in|woocommerce_items_in_cart 1;
  }
  upstream wordpress {
    least_conn; # Keep servers that fail while they are still starting.
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
  }`);
