/** Going back to a page that the browser has kept in its back-forward cache. */
import type { Page } from "playwright-core";

/**
 * Goes back to a page that sets `data-persisted` on its body at each `pageshow`, and waits until the browser has
 * restored it.
 *
 * @throws if the browser loads the page again instead, with the browser's reasons
 */
export async function goBackToKeptPage(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Page.enable");
  const loadedAgain = new Promise<never>((_, reject) =>
    devTools.once("Page.backForwardCacheNotUsed", ({ notRestoredExplanations }) => {
      const reasons = notRestoredExplanations.map(({ reason }) => reason).join(", ");
      reject(
        new Error(
          `Chromium did not restore the page from the back-forward cache: ${reasons}. The headless shell has no ` +
            "such cache. Run `deno task chromium`, and do not set CFBE_CHROMIUM to a headless shell.",
        ),
      );
    })
  );
  const restored = async () => {
    await page.goBack({ waitUntil: "commit" });
    await page.locator("body[data-persisted=true]").waitFor();
  };
  await Promise.race([restored(), loadedAgain]);
  await devTools.detach();
}
