/**
 * Visits each form with a CPU four times slower, and prints the INP of each visit as JSON, by form: in milliseconds,
 * after typing an email address, after submitting it and after closing the popup.
 */
import { launchAlone } from "../browser.ts";
import { OBSERVE_INP, readInp } from "../inp.ts";
import { FORMS, startSite } from "../every_kind.ts";
import { startVisit } from "./visitor.ts";

const SLOWDOWN = 4;

await using stack = new AsyncDisposableStack();
const site = stack.use(await startSite());
const browser = await launchAlone();
stack.defer(() => browser.close());
const measured: Record<string, Record<"typing" | "submitting" | "closing", number>> = {};
for (const form of FORMS) {
  await using visitor = await startVisit(browser, SLOWDOWN, OBSERVE_INP);
  await visitor.fillIn(`${site.origin}/${form}`, `${form}@site.example`);
  const typing = await readInp(visitor.page);
  await visitor.submit();
  const submitting = await readInp(visitor.page);
  await visitor.close();
  measured[form] = { typing, submitting, closing: await readInp(visitor.page) };
}
console.log(JSON.stringify(measured));
