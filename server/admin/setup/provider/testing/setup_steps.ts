import type { SignedIn } from "../../../../../dev/testing/admin_harness.ts";

function stepIn(html: string, name: string): [state: string, summary: string] {
  const [, state, summary] =
    new RegExp(`id="step-${name}" class="step (\\w+)".*?<p class="note">(.*?)</p>`, "s").exec(html) ?? [];
  return [state ?? "", summary ?? ""];
}

/** Returns the state of a step of the Provider page, and what the line below its title says. */
export async function stepOn(admin: SignedIn, name: string, path = "/provider") {
  return stepIn((await admin.page(path)).html, name);
}

/** Submits a form of the Provider page. */
export async function send(
  admin: SignedIn,
  action: string,
  fields: Record<string, string> = {},
  page = "/provider",
) {
  const response = await admin.send(action, { _page: page, ...fields });
  return { status: response.status, html: await response.text(), to: response.headers.get("location") ?? "" };
}
