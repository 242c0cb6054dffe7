/** A new WordPress with the zipped plugin, behind nginx as a page cache. */
import { fileURLToPath } from "node:url";
import { packPlugin } from "../../bridge/wordpress/pack.ts";
import { startCache } from "../hosts/cache.ts";
import { freePort } from "../../dev/free_port.ts";
import { startDatabase } from "./database.ts";
import { WORDPRESS } from "./folders.ts";
import { pageCache } from "./page_cache.ts";
import { run, startProcess } from "../process.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** PHP's built-in server handles one request at a time, and some pages request others. */
const SERVERS = 3;

/** PHP reads a file again as soon as it has changed, and not only after two seconds: a test changes wp-config.php. */
const FRESH = ["-d", "opcache.revalidate_freq=0"];

/** Warnings of WordPress itself: deprecations in its code, and the blocked update check. */
const FROM_WORDPRESS =
  /PHP Deprecated: .* in \S*\/(wp-includes|wp-admin)\/|secure connection to WordPress\.org/;

export interface Site extends AsyncDisposable {
  /** URL of the cache, which visitors use. */
  url: string;
  /** Folder of WordPress. */
  folder: string;
  /** Runs PHP code in WordPress as an admin, and returns its result. */
  php<T>(code: string): Promise<T>;
  /** Publishes a page, and returns its URL. */
  publish(slug: string, content: string): Promise<string>;
  /** Activates an installed plugin. */
  activate(plugin: string): Promise<void>;
  /** Returns the warnings and errors that PHP has logged. */
  phpErrors(): Promise<string>;
  /** Empties that log. */
  forgetPhpErrors(): Promise<void>;
}

/** Installs WordPress, and starts its database, PHP servers and page cache. */
export async function startSite(): Promise<Site> {
  await using started = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "cfbe-wordpress-" });
  started.defer(() => Deno.remove(folder, { recursive: true }));
  const root = `${folder}/www`;
  const log = `${folder}/debug.log`;
  const pages = `${folder}/pages`;
  const zip = `${folder}/cfbe.zip`;
  await Deno.writeFile(zip, await packPlugin());

  const copied = copyWordPress(root);
  // If either fails, the folder is removed, and nothing may write to it any more.
  const copyEnded = copied.catch(() => {});
  started.defer(() => copyEnded);
  const database = started.use(await startDatabase(folder));
  await copied;
  const ports = Array.from({ length: SERVERS }, freePort);
  const cache = started.use(await startCache(pageCache(pages, ports), ports[0]!));
  const env = {
    CFBE_TEST_SOCKET: database.socket,
    CFBE_TEST_URL: cache.url,
    CFBE_TEST_LOG: log,
    CFBE_TEST_PAGES: pages,
  };
  const phpErrors = async () => {
    const lines = (await Deno.readTextFile(log).catch(() => "")).split("\n");
    return lines.filter((line) => line !== "" && !FROM_WORDPRESS.test(line)).join("\n");
  };
  const inWordPress = (script: string, ...args: string[]) =>
    run("php", ["-d", "display_errors=stderr", `${HERE}${script}`, root, ...args], { env }).catch(
      async ({ message }) => {
        throw new Error(`${await phpErrors()}\n${message}`);
      },
    );
  await inWordPress("install.php", zip);
  for (const port of ports) {
    const ready = async () => (await fetch(`http://127.0.0.1:${port}/readme.html`)).body?.cancel();
    const args = ["-q", ...FRESH, "-S", `127.0.0.1:${port}`, "-t", root, `${HERE}router.php`];
    started.use(await startProcess("php", { args, env, ready }));
  }

  const php = async <T>(code: string): Promise<T> => {
    const output = await inWordPress("eval.php", code);
    return JSON.parse(output.slice(output.lastIndexOf("\n") + 1));
  };
  const all = started.move();
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
      const error = await php(`return activate_plugin( ${quoted(plugin)} );`);
      if (error !== null) throw new Error(`${plugin}: ${JSON.stringify(error)}`);
    },
    phpErrors,
    forgetPhpErrors: () => Deno.writeTextFile(log, ""),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Returns a PHP string literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** Copies WordPress and its configuration. Follows symbolic links, because Debian links to files of other packages. */
async function copyWordPress(root: string): Promise<void> {
  await run("cp", ["-rL", WORDPRESS, root]);
  await Deno.copyFile(`${HERE}wp-config.php`, `${root}/wp-config.php`);
  await Deno.mkdir(`${root}/wp-content/mu-plugins`, { recursive: true });
  await Deno.copyFile(`${HERE}nginx_purge.php`, `${root}/wp-content/mu-plugins/nginx_purge.php`);
}
