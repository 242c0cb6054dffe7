import type { Context } from "hono";
import { allOpenAlerts } from "../../operations/alerts/database_alert.ts";
import { type Actor, capabilitiesOf } from "../auth/actor.ts";
import { CAPABILITIES, type Capability } from "../auth/capability.ts";
import { issueNonce } from "../auth/nonce.ts";
import { originOf } from "../auth/request_origin.ts";
import { decryptQuery, encryptQuery } from "../frame/encrypted_query.ts";
import type { Page } from "../frame/page.ts";
import type { AdminServices } from "../frame/services.ts";
import { adminHref, type View } from "../frame/view.ts";
import type { Screens } from "./screens.ts";
import { shell } from "./shell.tsx";
import { messagePage } from "./sign_in_page.tsx";

/** Responds with a page, or with 403 to a user who may not see it. */
export async function pageResponse(
  app: AdminServices,
  screens: Screens,
  c: Context,
  page: Page,
  actor: Actor & { kind: "user" },
  shown: Pick<View, "search" | "posted" | "flash" | "done">,
  status: 200 | 401 = 200,
): Promise<Response> {
  await app.settings.refresh();
  const view = await createView(app, screens, c, actor, { path: page.path, ...shown });
  if (!view.may(page.capability)) {
    return c.html(
      messagePage({
        href: view.href,
        title: "Not allowed",
        message: "You are not allowed to see this. Ask an admin, who can change roles on the Users page.",
      }),
      403,
    );
  }
  return c.html(shell(view, page, screens.pages, await page.render(view)), status);
}

async function createView(
  app: AdminServices,
  { actionNamed }: Screens,
  c: Context,
  actor: Actor & { kind: "user" },
  { path, search, posted, flash, done }: Pick<View, "path" | "search" | "posted" | "flash" | "done">,
): Promise<View<keyof AdminServices>> {
  const allowed = await capabilitiesOf(app.hooks, actor, Object.keys(CAPABILITIES) as Capability[]);
  const now = app.clock.now();
  return {
    app,
    actor,
    path,
    search,
    ...await decryptQuery(app, search),
    now,
    openAlerts: (await allOpenAlerts(app)).length,
    flash,
    posted,
    done,
    request: { peer: (c.env as { peer?: string } | undefined)?.peer ?? "", headers: c.req.raw.headers },
    from: await originOf(app, c, actor.name),
    may: (capability) => allowed.has(capability),
    mayRun(action) {
      const known = actionNamed(action);
      return known !== undefined && allowed.has(known.capability);
    },
    nonce: (action) => issueNonce(app.keyring, actor.session, action, now),
    href: (to) => adminHref(app, to),
    encryptQuery: (fields) => encryptQuery(app, fields),
  };
}
