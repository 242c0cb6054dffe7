/** The real program, a WordPress with the plugin set up for it, and a browser. */
import type { Browser } from "playwright-core";
import { launch } from "../browser.ts";
import { type RunningProgram, runProgram } from "../program.ts";
import { quoted, type Site, startSite } from "./site.ts";

export const SALT = "a salt for the tests of WordPress, long enough";

export interface Stage extends AsyncDisposable {
  program: RunningProgram;
  site: Site;
  browser: Browser;
  /** Saves settings of the plugin, beside those that are. */
  set(settings: Record<string, string | boolean>): Promise<void>;
  /** The plugin active, with the program's address and salt, and nothing else set. */
  reset(): Promise<void>;
}

/** @param env of the program, beside its salt */
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
    await site.php("return delete_option( 'cfbe_settings' );");
    await set({ address: program.baseUrl, salt: SALT });
  };
  await reset();
  const everything = started.move();
  return { program, site, browser, set, reset, [Symbol.asyncDispose]: () => everything.disposeAsync() };
}

/** The browser and WordPress are processes with sockets of their own. */
export const hostTest = (name: string, fn: () => Promise<void>) =>
  Deno.test(name, { sanitizeOps: false, sanitizeResources: false }, fn);

/** One stage for all tests of a file; each finds the plugin active, and set up for the program that has this `env`. */
export function sharedStage(env: Record<string, string> = {}): () => Stage {
  let stage: Stage | undefined;
  Deno.test.beforeAll(async () => {
    stage = await startStage(env);
  });
  Deno.test.beforeEach(() => stage!.reset());
  Deno.test.afterAll(async () => await stage?.[Symbol.asyncDispose]());
  return () => stage!;
}
