import { Hono } from "hono";
import { NAMESPACE } from "../../../shared/contract.ts";
import type { Context } from "../account/context.ts";
import { faultsPatch, readFaults, setFaults } from "../account/faults.ts";
import { readProject } from "../account/project.ts";
import { webhookKey, type WebhookRow } from "../account/rows.ts";
import { readDeliveries, readWebhook } from "../account/webhooks.ts";
import { faultsPage } from "./faults_page.tsx";
import type { SandboxUrls } from "./layout.tsx";
import { webhookPage } from "./webhook_page.tsx";

/** Serves the pages for the webhook registration and the simulated faults. */
export function controlRoutes(context: Context, urls: SandboxUrls): Hono {
  const app = new Hono();
  const { kv } = context;
  const ownUrl = `${urls.baseUrl}${NAMESPACE}/provider-hook`;

  app.get("/webhook", async (c) => {
    const [webhook, deliveries, faults] = await Promise.all([
      readWebhook(kv),
      readDeliveries(kv),
      readFaults(kv),
    ]);
    return c.html(webhookPage(urls, { webhook, deliveries, ownUrl, faults }));
  });

  app.get("/webhook.json", async (c) => {
    const [webhook, rows] = await Promise.all([readWebhook(kv), readDeliveries(kv)]);
    const deliveries = rows.map(({ v: _, ...row }) => row);
    return c.json({ url: webhook?.url ?? null, deliveries });
  });

  app.post("/webhook/register", async (c) => {
    const project = await readProject(kv);
    if (project) {
      const wanted = { subscription: true, bounce: true, complaint: true };
      const others = { open: false, click: false, sent: false, failed: false };
      const row: WebhookRow = { v: 1, url: ownUrl, secretKey: project.apiKey, ...wanted, ...others };
      await kv.set(webhookKey(), row);
    }
    return c.redirect(`${urls.sandbox}/webhook`, 303);
  });

  app.post("/webhook/remove", async (c) => {
    await kv.delete(webhookKey());
    return c.redirect(`${urls.sandbox}/webhook`, 303);
  });

  app.get("/faults", async (c) => {
    return c.html(faultsPage(urls, await readFaults(kv), c.req.query("saved") !== undefined));
  });

  app.get("/faults.json", async (c) => c.json(await readFaults(kv)));

  // Programs and the demo page send JSON, people send the form.
  app.post("/faults", async (c) => {
    const json = c.req.header("content-type")?.startsWith("application/json") ?? false;
    const body: unknown = await (json ? c.req.json() : c.req.parseBody()).catch(() => null);
    const patch = faultsPatch.safeParse(body);
    if (!patch.success) {
      return c.json(
        { error: patch.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) },
        400,
      );
    }
    const faults = await setFaults(context, patch.data);
    return json ? c.json(faults) : c.redirect(`${urls.sandbox}/faults?saved`, 303);
  });

  return app;
}
