import { TAB_TITLES } from "../../settings/store/tabs.ts";
import { acceptsPrevious, OVERLAP_MS } from "../../signup/confirm/previous_secret.ts";
import { hookUrl } from "../../operations/provider/webhook.ts";
import type { HookCredential, WebhookCall } from "../../platform/observe/webhook_calls.ts";
import { sendsWebhooks } from "../../providers/port/capabilities.ts";
import { providerTitle } from "../../settings/store/provider.ts";
import { definePage } from "../frame/page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { SwitchField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge, Notice, type Tone } from "../parts/notice.tsx";
import { Snippet } from "../parts/snippet.tsx";
import { masked } from "../parts/secret_field.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";

export const webhooksPage = definePage({
  path: "/webhooks",
  title: TAB_TITLES.webhooks,
  lead: "How cfbe learns of confirmations immediately. Without it, polling finds them within 15 minutes.",
  group: "Settings",
  icon: "webhooks",
  shortcut: "w",
  capability: "view",
  services: ["provider", "webhookCalls"],
  async render(view) {
    const calls = await view.app.webhookCalls.recent();
    if (!sendsWebhooks(view.app.provider.capabilities) && calls.length === 0) {
      return (
        <Card title="No webhooks">
          <p>
            {providerTitle(view.app.settings.current().general.provider, view.app.settings.providers)}{" "}
            sends no webhooks. Polling finds confirmations within 15 minutes.
          </p>
        </Card>
      );
    }
    return (
      <>
        <Card
          id="registration"
          title="Registration"
          lead="The URL that the provider sends list events to."
          actions={<a class="button" href={view.href("/provider#step-webhook")}>Go to Provider</a>}
        >
          <Snippet id="hook-url" label="Webhook URL">{hookUrl(view.app)}</Snippet>
        </Card>
        <Secret view={view} />
        <Card title="Recent calls" lead="The last 50 accepted and 10 rejected calls.">
          {calls.length === 0
            ? (
              <Empty title="No calls yet">
                Register the webhook, then sign up yourself and confirm. The call appears here.
              </Empty>
            )
            : (
              <Table
                caption="Recent calls"
                rows={calls.map((call, index) => ({ ...call, index }))}
                keyOf={({ index }) => String(index)}
                columns={[
                  { title: "Time", cell: ({ at }) => <Moment at={at} /> },
                  { title: "Event", compact: true, cell: ({ type }) => type ?? "" },
                  {
                    title: "Authenticated by",
                    compact: true,
                    cell: ({ by }) => by ? CREDENTIALS[by] : "no credential",
                  },
                  { title: "Result", compact: true, cell: ({ result }) => <Result result={result} /> },
                ]}
              />
            )}
        </Card>
      </>
    );
  },
});

function Secret({ view }: { view: View }) {
  const { webhooks } = view.app.settings.current();
  const { secret, previousUntil } = webhooks;
  const fixed = view.app.settings.fixedBy("webhooks.secret");
  const renewed = view.done?.action === "cfbe_new_webhook_secret"
    ? view.done.data as { secret: string }
    : undefined;
  return (
    <Card
      id="secret"
      title="Secret for automations"
      lead={
        <>
          Use this secret in the <code>X-CFBE-Secret</code>{"  "}
          header when an automation at the provider calls the webhook URL. Calls with this secret are accepted
          like calls with the API key.
        </>
      }
    >
      {renewed && (
        <Notice kind="good">
          Copy the secret now. It is not shown again.
          <Snippet id="new-secret" label="New secret">{renewed.secret}</Snippet>
        </Notice>
      )}
      {!renewed &&
        (secret === "" ? <Empty title="No secret yet">Calls that use one are rejected.</Empty> : (
          <p>
            Set: <code>{masked(secret, { mayChange: view.mayRun("cfbe_new_webhook_secret") })}</code>
          </p>
        ))}
      {acceptsPrevious(webhooks, view.now) && (
        <p class="help">
          The previous secret is accepted until <Moment at={previousUntil} />.
        </p>
      )}
      {fixed
        ? <p class="help">Set by the {fixed}. Change it there.</p>
        : view.mayRun("cfbe_new_webhook_secret") && (
          <PostForm view={view} action="cfbe_new_webhook_secret">
            {secret !== "" && (
              <SwitchField
                path="keepOld"
                label={`Accept the old secret for another ${OVERLAP_MS / 3_600_000} hours`}
                help="So that you have time to update your automations. Leave off if the old secret has leaked."
              />
            )}
            <div class="buttons">
              {secret === ""
                ? <button type="submit">Create secret</button>
                : <button type="submit" class="danger">Replace secret</button>}
            </div>
          </PostForm>
        )}
    </Card>
  );
}

const CREDENTIALS: Record<HookCredential, string> = {
  key: "API key",
  secret: "secret",
  "previous secret": "previous secret",
  signature: "signature",
};

const RESULTS: Record<WebhookCall["result"], [tone: Tone, text: string]> = {
  queued: ["good", "check queued"],
  received: ["plain", "recorded"],
  ignored: ["plain", "ignored"],
  refused: ["warn", "rejected: no valid email address"],
  unauthorized: ["bad", "rejected: wrong key or secret"],
  not_json: ["warn", "rejected: not JSON"],
  too_large: ["warn", "rejected: larger than 64 KB"],
};

function Result({ result }: Pick<WebhookCall, "result">) {
  const [tone, text] = RESULTS[result];
  return <Badge kind={tone}>{text}</Badge>;
}
