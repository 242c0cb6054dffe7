/** The real server, a WordPress whose plugin is connected to it, and a browser. */
import type { Browser } from "playwright-core";
import { launch } from "../browser.ts";
import { type RunningProgram, runProgram } from "../program.ts";
import { quoted, type Site, startSite } from "./site.ts";

export const SALT = "a salt for the tests of WordPress, long enough";

export interface Stage extends AsyncDisposable {
  program: RunningProgram;
  site: Site;
  browser: Browser;
  /** Changes some settings of the plugin. */
  set(settings: Record<string, unknown>): Promise<void>;
  /** Activates the plugin, with the server's URL and salt and otherwise default settings. */
  reset(): Promise<void>;
}

/** @param env variables of the server, in addition to its salt */
async function startStage(env: Record<string, string> = {}): Promise<Stage> {
  await using started = new AsyncDisposableStack();
  const [program, site, browser] = await Promise.all([
    runProgram({ CFBE_SALT: SALT, ...env }),
    startSite(),
    launch(),
  ]);
  started.use(program);
  started.use(site);
  started.defer(() => browser.close());
  const set: Stage["set"] = async (settings) => {
    await site.php(
      `return update_option( 'cfbe_settings', array_merge( cfbe_settings(), json_decode( ${
        quoted(JSON.stringify(settings))
      }, true ) ) );`,
    );
  };
  const reset = async () => {
    await site.activate("cfbe/cfbe.php");
    await site.php("delete_option( 'cfbe_connection' ); return delete_option( 'cfbe_settings' );");
    await set({ address: program.baseUrl, salt: SALT });
  };
  await reset();
  const all = started.move();
  return { program, site, browser, set, reset, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Registers a test. The browser and WordPress outlive it, so there are no sanitizers. */
export const hostTest = (name: string, fn: () => Promise<void>) =>
  Deno.test(name, { sanitizeOps: false, sanitizeResources: false }, fn);

/**
 * Starts one stage for all tests of a file, and resets the plugin before each.
 *
 * @param env variables of the server, in addition to its salt
 */
export function sharedStage(env: Record<string, string> = {}): () => Stage {
  let stage: Stage | undefined;
  Deno.test.beforeAll(async () => {
    stage = await startStage(env);
  });
  Deno.test.beforeEach(() => stage!.reset());
  Deno.test.afterAll(async () => await stage?.[Symbol.asyncDispose]());
  return () => stage!;
}
