import { capitalized } from "../../../platform/words/capitalized.ts";
import { docPageAt } from "../../../platform/words/doc_page.ts";
import type { VNode } from "preact";
import { hookUrl, type WebhookState } from "../../../operations/provider/webhook.ts";
import { asSentence } from "../../../providers/port/trouble.ts";
import { SwitchField } from "../../parts/field.tsx";
import { PostForm } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Snippet } from "../../parts/snippet.tsx";
import { Moment } from "../../parts/site_time.tsx";
import type { StepProps } from "./step_props.ts";

/** The webhook registered at the provider, and the button that registers cfbe's. */
export function WebhookStep(
  { view, facts: { webhook: state, module, unreachable }, current }: StepProps,
): VNode {
  if (!state) return <p class="help">Test the connection first.</p>;
  const foreign = state.kind === "state" && state.state === "foreign" ? state.registered!.url : undefined;
  return (
    <>
      <p>
        The provider reports confirmations to this URL immediately. Without the webhook, polling finds them
        within 15 minutes. The last calls are on the <a href={view.href("/webhooks")}>Webhooks</a> page.
      </p>
      <Snippet id="hook-url" label="Webhook URL">{hookUrl(view.app)}</Snippet>
      {unreachable && (
        <Notice kind="plain">
          Only this machine can reach this URL. Set <code>CFBE_BASE_URL</code> to a public one first.
        </Notice>
      )}
      <State state={state} docs={module.docs} />
      {state.kind !== "unsupported" && state.kind !== "none" && (
        <PostForm view={view} action="cfbe_register_webhook" id="provider-webhook">
          {foreign && (
            <SwitchField
              path="replace"
              label="Replace the registered webhook"
              help={`${foreign} no longer receives events.`}
            />
          )}
          <div class="buttons">
            <button type="submit" class={current ? "primary" : undefined}>
              {state.kind === "state" && state.state === "ours" ? "Register again" : "Register"}
            </button>
          </div>
        </PostForm>
      )}
    </>
  );
}

function State({ state, docs }: { state: WebhookState; docs: string }): VNode {
  if (state.kind === "none") return <p>The provider sends no webhooks.</p>;
  if (state.kind === "unsupported") {
    return (
      <p>
        cfbe cannot register a webhook at this provider. {capitalized(docPageAt(docs))}{" "}
        says whether you can set one up there yourself.
      </p>
    );
  }
  if (state.kind === "trouble") {
    return <Notice kind="bad">The request to the provider failed: {asSentence(state.reason)}</Notice>;
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
      return <Notice kind="warn">The webhook is registered with another API key. Register it again.</Notice>;
    case "foreign":
      return (
        <Notice kind="warn">
          Another URL is registered: <code>{state.registered!.url}</code>.
        </Notice>
      );
    case "none":
      return <Notice kind="warn">No webhook is registered. Confirmations are found only by polling.</Notice>;
  }
}
