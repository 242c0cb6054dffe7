import { Hono } from "hono";
import { z } from "zod";
import { secretsEqual } from "../../platform/keys/keyring.ts";
import { createBatches } from "../../platform/kv/batches.ts";
import { type Context, newId } from "../account/context.ts";
import { putMail } from "../account/mail.ts";
import { testBehaviorOf } from "../account/test_addresses.ts";
import { readProject } from "../account/project.ts";
import { type MailKind, webhookKey, type WebhookRow } from "../account/rows.ts";
import { readWebhook } from "../account/webhooks.ts";
import { address, fail, invalid, notFound, ok, readJson } from "./envelope.ts";

const flag = z.boolean().default(false);
const webhook = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2000),
  secretKey: z.string().min(1).max(200),
  subscription: flag,
  bounce: flag,
  complaint: flag,
  open: flag,
  click: flag,
  sent: flag,
  failed: flag,
});

const id = z.string().min(1).max(100);
const transactional = z.object({ email: address, transactionalId: id, data: z.unknown().optional() });
// The provider emails the whole list if `emails` is missing. The sandbox rejects such a request, so that the
// mistake shows here first.
const triggered = z.object({
  triggeredId: id,
  emails: z.array(address).min(1).max(500),
  data: z.unknown().optional(),
});

/**
 * Serves the project, its webhook and sending. Source: the pages "Project", "Webhook" and "Send Email" of the
 * provider's documentation.
 */
export function projectRoutes(context: Context): Hono {
  const app = new Hono();
  const { kv } = context;

  app.get("/", async (c) => {
    const project = await readProject(kv);
    if (!project) return notFound(c, "Project");
    const { id, name } = project;
    return ok(c, {
      _id: id,
      name,
      status: "sandbox",
      restricted: false,
      restrictedReason: null,
      whiteList: [],
    });
  });

  app.get("/webhook", async (c) => ok(c, shape(await readWebhook(kv))));

  app.patch("/webhook", async (c) => {
    const body = webhook.safeParse(await readJson(c));
    if (!body.success) return invalid(c, body.error);
    const project = await readProject(kv);
    if (!secretsEqual(body.data.secretKey, project?.apiKey)) {
      return fail(c, 400, "VALIDATION_ERROR", "secretKey: must be one of this project's API keys");
    }
    const row: WebhookRow = { v: 1, ...body.data };
    await kv.set(webhookKey(), row);
    return ok(c, shape(row));
  });

  app.delete("/webhook", async (c) => {
    const row = await readWebhook(kv);
    if (!row) return notFound(c, "Webhook");
    await kv.delete(webhookKey());
    return ok(c, shape(row));
  });

  app.post("/send-transactional", async (c) => {
    const body = transactional.safeParse(await readJson(c));
    if (!body.success) return invalid(c, body.error);
    const { email, transactionalId, data } = body.data;
    if (flagged(email)) return fail(c, 405, "METHOD_NOT_ALLOWED", "This email address has been flagged.");
    await send("transactional", transactionalId, [email], data);
    return ok(c, { success: true });
  });

  app.post("/send-triggered", async (c) => {
    const body = triggered.safeParse(await readJson(c));
    if (!body.success) return invalid(c, body.error);
    const { emails, triggeredId, data } = body.data;
    await send("triggered", triggeredId, emails.filter((email) => !flagged(email)), data);
    return ok(c, { success: true });
  });

  async function send(kind: MailKind, template: string, to: string[], data: unknown): Promise<void> {
    const text = data === undefined ? "(no data)" : JSON.stringify(data, null, 2).slice(0, 8_000);
    const subject = `Template ${template}`;
    const batches = createBatches(kv);
    for (const email of to) {
      const at = context.clock.now();
      const mail = { v: 1, id: newId(context.random), at, to: email, kind, subject, text } as const;
      await batches.add((tx) => putMail(tx, mail));
    }
    await batches.flush();
  }

  return app;
}

function flagged(email: string): boolean {
  const behavior = testBehaviorOf(email);
  return behavior === "bounced" || behavior === "suppressed";
}

function shape(row: WebhookRow | null) {
  if (!row) return null;
  const { v: _, ...rest } = row;
  return rest;
}
