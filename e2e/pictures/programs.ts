/** The programs that the pictures show, each with a browser context that is signed in to it. */
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { startProgram, type TestProgram } from "../../dev/testing/program.ts";
import { ADMIN, startEmpty, startSample } from "./sample.ts";
import { SETTINGS } from "./sample_data.ts";

const STARTS = {
  /** A month after its start. */
  sample: startSample,
  /** Without any data. */
  empty: startEmpty,
  /** On the system's clock, because the form compares the program's time with the browser's. */
  live: () => startProgram({ file: { settings: SETTINGS } }),
};

export type ProgramName = keyof typeof STARTS;

interface Running {
  program: TestProgram;
  context: BrowserContext;
}

export interface Programs extends AsyncDisposable {
  /** Resolves when the program runs and its context is signed in. */
  get(name: ProgramName): Promise<Running>;
}

/**
 * Starts the programs at the same time.
 *
 * @param options of the browser contexts
 * @param days number of days that the sample covers
 */
export function startPrograms(
  browser: Browser,
  names: readonly ProgramName[],
  options: BrowserContextOptions,
  days?: number,
): Programs {
  const start = async (name: ProgramName): Promise<Running> => {
    const program = await STARTS[name](days);
    // A cookie is valid for every port of a host, so each program needs a context of its own.
    const context = await browser.newContext(options);
    if (name !== "live") await signIn(context, program.baseUrl);
    return { program, context };
  };
  const running = new Map([...new Set(names)].map((name) => [name, start(name)]));
  return {
    get: (name) => running.get(name)!,
    async [Symbol.asyncDispose]() {
      for (const started of await Promise.allSettled(running.values())) {
        if (started.status === "rejected") continue;
        await started.value.context.close();
        await started.value.program[Symbol.asyncDispose]();
      }
    },
  };
}

async function signIn(context: BrowserContext, baseUrl: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${baseUrl}/admin/login`);
  await page.getByLabel("Name").fill(ADMIN.name);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/admin/overview");
  await page.close();
}
