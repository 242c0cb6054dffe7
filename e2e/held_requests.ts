import type { Page, Request } from "playwright-core";
import { SOON_MS } from "./admin_test_case.ts";
import { waitUntil } from "./program.ts";

/** Holds pages, and the answers to other requests that match as they are at once, until each is released. */
export async function hold(page: Page, url: string, matches: (request: Request) => boolean) {
  const held: PromiseWithResolvers<void>[] = [];
  let holds = true;
  await page.route(url, async (route) => {
    if (!holds || !matches(route.request())) return route.fallback();
    const response = route.request().isNavigationRequest() ? undefined : await route.fetch();
    const released = Promise.withResolvers<void>();
    held.push(released);
    await released.promise;
    await (response ? route.fulfill({ response }) : route.continue()).catch(() => {});
  });
  return {
    /** Waits until so many answers have been held. */
    count: (wanted: number) => waitUntil(`${wanted} answers`, SOON_MS, () => held.length >= wanted),
    release: (index: number) => held[index]!.resolve(),
    /** Releases all of them, and holds no more. */
    end() {
      holds = false;
      for (const { resolve } of held) resolve();
    },
  };
}
