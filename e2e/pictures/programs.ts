/** The programs that the pictures show, each with a browser context that is signed in to it. */
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { startProgram, type TestProgram } from "../../server/testing/program.ts";
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

export interface Programs extends AsyncDisposable {
  baseUrlOf(name: ProgramName): string;
  contextOf(name: ProgramName): BrowserContext;
}

/** @param days number of days that the sample covers */
export async function startPrograms(
  browser: Browser,
  names: readonly ProgramName[],
  options: BrowserContextOptions,
  days?: number,
): Promise<Programs> {
  const running = new Map<ProgramName, { program: TestProgram; context: BrowserContext }>();
  // A cookie is valid for every port of a host, so each program needs a context of its own.
  for (const name of new Set(names)) {
    const program = await STARTS[name](days);
    const context = await browser.newContext(options);
    running.set(name, { program, context });
    if (name !== "live") await signIn(context, program.baseUrl);
  }
  return {
    baseUrlOf: (name) => running.get(name)!.program.baseUrl,
    contextOf: (name) => running.get(name)!.context,
    async [Symbol.asyncDispose]() {
      for (const { program, context } of running.values()) {
        await context.close();
        await program[Symbol.asyncDispose]();
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
