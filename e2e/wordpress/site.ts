/** A WordPress from scratch, with the zipped plugin, behind an nginx that keeps pages. */
import { fileURLToPath } from "node:url";
import { packPlugin } from "../../bridge/wordpress/pack.ts";
import { startCache } from "../hosts/cache.ts";
import { freePort } from "../program.ts";
import { startDatabase } from "./database.ts";
import { WORDPRESS } from "./folders.ts";
import { pageCache } from "./page_cache.ts";
import { run, startProcess } from "./process.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** PHP's own server answers one after the other, and pages ask for others. */
const SERVERS = 3;

/** What WordPress says of itself: that it is older than its PHP, and that it can't ask for news. */
const ITS_OWN = /PHP Deprecated: .* in \S*\/(wp-includes|wp-admin)\/|secure connection to WordPress\.org/;

export interface Site extends AsyncDisposable {
  /** Where visitors come in: at the cache. */
  url: string;
  /** Of WordPress. */
  folder: string;
  /** Runs PHP in it, as an admin. @returns what the code returns */
  php<T>(code: string): Promise<T>;
  /** Publishes a page. @returns its address */
  publish(slug: string, content: string): Promise<string>;
  /** Activates a plugin in its plugins' folder. */
  activate(plugin: string): Promise<void>;
  /** What PHP has complained about. */
  complaints(): Promise<string>;
}

/** Everything started here, ended in reverse; also when a step on the way fails. */
export async function startSite(): Promise<Site> {
  await using started = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "cfbe-wordpress-" });
  started.defer(() => Deno.remove(folder, { recursive: true }));
  const root = `${folder}/www`;
  const log = `${folder}/debug.log`;
  const pages = `${folder}/pages`;
  const zip = `${folder}/cfbe.zip`;
  await Deno.writeFile(zip, await packPlugin());

  const [database] = await Promise.all([startDatabase(folder), copyWordPress(root)]);
  started.use(database);
  const ports = Array.from({ length: SERVERS }, freePort);
  const cache = started.use(await startCache(pageCache(pages, ports), ports[0]!));
  const env = {
    CFBE_TEST_SOCKET: database.socket,
    CFBE_TEST_URL: cache.url,
    CFBE_TEST_LOG: log,
    CFBE_TEST_PAGES: pages,
  };
  const complaints = async () => {
    const lines = (await Deno.readTextFile(log).catch(() => "")).split("\n");
    return lines.filter((line) => line !== "" && !ITS_OWN.test(line)).join("\n");
  };
  const inWordPress = (script: string, ...args: string[]) =>
    run("php", ["-d", "display_errors=stderr", `${HERE}${script}`, root, ...args], env).catch(
      async ({ message }) => {
        throw new Error(`${await complaints()}\n${message}`);
      },
    );
  await inWordPress("install.php", zip);
  for (const port of ports) {
    const ready = async () => (await fetch(`http://127.0.0.1:${port}/readme.html`)).body?.cancel();
    const args = ["-q", "-S", `127.0.0.1:${port}`, "-t", root, `${HERE}router.php`];
    started.use(await startProcess("php", args, env, ready));
  }

  const php = async <T>(code: string): Promise<T> => {
    const said = await inWordPress("eval.php", code);
    return JSON.parse(said.slice(said.lastIndexOf("\n") + 1));
  };
  const everything = started.move();
  return {
    url: cache.url,
    folder: root,
    php,
    publish: (slug, content) =>
      php<string>(
        `$id = wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => ${
          quoted(slug)
        },
          'post_name' => ${quoted(slug)}, 'post_content' => wp_slash( ${quoted(content)} ) ), true );
        return is_wp_error( $id ) ? $id : get_permalink( $id );`,
      ),
    activate: async (plugin) => {
      const problem = await php(`return activate_plugin( ${quoted(plugin)} );`);
      if (problem !== null) throw new Error(`${plugin}: ${JSON.stringify(problem)}`);
    },
    complaints,
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

/** A PHP string. */
export function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** Whole, for Debian's own links to what other packages bring. */
async function copyWordPress(root: string): Promise<void> {
  await run("cp", ["-rL", WORDPRESS, root]);
  await Deno.copyFile(`${HERE}wp-config.php`, `${root}/wp-config.php`);
  // Empties nginx's cache when asked the way the plugin Nginx Helper is.
  await Deno.mkdir(`${root}/wp-content/mu-plugins`, { recursive: true });
  await Deno.copyFile(`${HERE}nginx_purge.php`, `${root}/wp-content/mu-plugins/nginx_purge.php`);
}
