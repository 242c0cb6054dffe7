import { TAB_TITLES } from "../../settings/tabs.ts";
import { hookUrl, OVERLAP_MS, type WebhookState, webhookState } from "../../ops/webhook.ts";
import type { WebhookCall } from "../../observe/webhook_calls.ts";
import type { Page } from "../page.ts";
import { Card, Empty } from "../parts/card.tsx";
import { SwitchField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge, Notice, type Tone } from "../parts/notice.tsx";
import { Snippet } from "../parts/preview.tsx";
import { masked } from "../parts/secret_field.tsx";
import { Moment, Table } from "../parts/table.tsx";
import type { View } from "../view.ts";

export const webhooksPage: Page = {
  path: "/webhooks",
  title: TAB_TITLES.webhooks,
  lead: "The provider tells of confirmations at once. Without it the poll finds them within 15 minutes.",
  group: "Set up",
  capability: "view",
  async render(view) {
    const [state, calls] = await Promise.all([webhookState(view.app), view.app.webhookCalls.recent()]);
    return (
      <>
        <Registration view={view} state={state} />
        <Secret view={view} />
        <Card title="Recent calls" lead="The last fifty that were let in, and ten that were not.">
          {calls.length === 0
            ? (
              <Empty title="Nobody has called yet">
                Register the webhook, then confirm a signup of your own: its call turns up here.
              </Empty>
            )
            : (
              <Table
                caption="Recent calls"
                rows={calls.map((call, index) => ({ ...call, index }))}
                keyOf={({ index }) => String(index)}
                columns={[
                  { title: "When", cell: ({ at }) => <Moment at={at} /> },
                  { title: "What", cell: ({ type }) => type ?? "" },
                  { title: "Opened by", cell: ({ by }) => by ?? "nothing" },
                  { title: "Result", cell: ({ result }) => <Result result={result} /> },
                ]}
              />
            )}
        </Card>
      </>
    );
  },
};

/** What is registered at the provider, what to do about it, and the button that does it. */
function Registration({ view, state }: { view: View; state: WebhookState }) {
  const foreign = state.kind === "state" && state.state === "foreign" ? state.registered!.url : undefined;
  return (
    <Card id="registration" title="Registration" lead="Where the provider sends what happens on its lists.">
      <Snippet id="hook-url" label="Our address">{hookUrl(view.app)}</Snippet>
      <State state={state} />
      {state.kind !== "unsupported" && (
        <PostForm view={view} action="cfbe_register_webhook">
          {foreign && (
            <SwitchField
              path="replace"
              label="Overwrite it"
              help={`Whoever listens at ${foreign} hears nothing any more.`}
            />
          )}
          <div class="buttons">
            <button type="submit" class="primary">
              {state.kind === "state" && state.state === "ours" ? "Register again" : "Register"}
            </button>
          </div>
        </PostForm>
      )}
    </Card>
  );
}

function State({ state }: { state: WebhookState }) {
  if (state.kind === "unsupported") {
    return (
      <Notice kind="warn">
        This provider's webhook is set up in its own dashboard: enter our address there.
      </Notice>
    );
  }
  if (state.kind === "trouble") {
    return <Notice kind="bad">The provider could not be asked: {state.reason}. Test the connection.</Notice>;
  }
  switch (state.state) {
    case "ours":
      return (
        <Notice kind="good">
          Registered{state.registeredAt !== undefined && (
            <>
              {" "}
              since <Moment at={state.registeredAt} />
            </>
          )}.
        </Notice>
      );
    case "stale_key":
      return <Notice kind="warn">Our address is registered with another API key: register it again.</Notice>;
    case "foreign":
      return (
        <Notice kind="warn">
          Another address is registered: <code>{state.registered!.url}</code>.
        </Notice>
      );
    case "none":
      return <Notice kind="warn">Nothing is registered: only the poll finds confirmations now.</Notice>;
  }
}

function Secret({ view }: { view: View }) {
  const { secret, previousSecret, previousUntil } = view.app.settings.current().webhooks;
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
          An automation step of the provider calls our address with the header{" "}
          <code>X-CFBE-Secret</code>. It opens the route as the API key does.
        </>
      }
    >
      {renewed && (
        <Notice kind="good">
          This is the only time that it is shown.
          <Snippet id="new-secret" label="New secret">{renewed.secret}</Snippet>
        </Notice>
      )}
      {!renewed &&
        (secret === "" ? <Empty title="There is no secret yet">Calls that carry one are refused.</Empty> : (
          <p>
            Set: <code>{masked(secret)}</code>
          </p>
        ))}
      {previousSecret !== "" && previousUntil > view.now && (
        <p class="help">
          The one before counts until <Moment at={previousUntil} />.
        </p>
      )}
      {fixed
        ? <p class="help">It is set by the {fixed}: change it there.</p>
        : (
          <PostForm view={view} action="cfbe_new_webhook_secret">
            {secret !== "" && (
              <SwitchField
                path="keepOld"
                label={`Accept the old one for another ${OVERLAP_MS / 3_600_000} hours`}
                help="Time to change the automations. Leave it off when the old one has become known."
              />
            )}
            <div class="buttons">
              <button type="submit">{secret === "" ? "Make a secret" : "New secret"}</button>
            </div>
          </PostForm>
        )}
    </Card>
  );
}

const RESULTS: Record<WebhookCall["result"], [tone: Tone, says: string]> = {
  queued: ["good", "a check was queued"],
  received: ["plain", "noted"],
  ignored: ["plain", "nothing of ours"],
  refused: ["warn", "refused: no valid address"],
  unauthorized: ["bad", "refused: wrong key or secret"],
  not_json: ["warn", "refused: not JSON"],
  too_large: ["warn", "refused: larger than 64 KB"],
};

function Result({ result }: Pick<WebhookCall, "result">) {
  const [tone, says] = RESULTS[result];
  return <Badge kind={tone}>{says}</Badge>;
}
