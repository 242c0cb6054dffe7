/** Prints by how much 50 navigations between views with forms make a page's memory grow, as JSON. */
import { launchAlone } from "../browser.ts";
import { measureGrowth } from "./growth.ts";
import { startSite } from "./site.ts";

await using stack = new AsyncDisposableStack();
const site = stack.use(await startSite());
const browser = await launchAlone();
stack.defer(() => browser.close());
console.log(JSON.stringify(await measureGrowth(browser, site.origin, 50)));
