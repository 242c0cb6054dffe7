import { formPath } from "../parts/form_path.ts";
import type { VNode } from "preact";
import { isLoopback, pathPrefix } from "../../platform/config/config.ts";
import { Icon } from "../parts/icons.tsx";
import { Notice } from "../parts/notice.tsx";
import { Snippet } from "../parts/snippet.tsx";
import { Moment } from "../parts/site_time.tsx";
import { snippetLocales, snippetsFor } from "../forms/snippets.ts";
import { signTestConfig } from "../../forms/public/test_form.ts";
import { sendsWebhooks } from "../../providers/port/capabilities.ts";
import { isSandbox } from "../../settings/store/provider.ts";
import type { View } from "../frame/view.ts";
import type { FirstRun } from "./first_run_state.ts";

/** How often the page reloads without JavaScript. */
const RELOAD_SECONDS = 15;

export function SnippetStep({ view, run }: { view: View; run: FirstRun }): VNode {
  const { config, settings } = view.app;
  const { forms: { forms: [form] }, general: { origins } } = settings.current();
  if (!form) return <p>The snippet appears once you have named the form.</p>;
  const seen = run.steps.some(({ name, done }) => name === "snippet" && done);
  return (
    <>
      <p>
        Paste this snippet where the form should appear, then open that page. {seen
          ? run.facts.seen
            ? "Your form has been displayed."
            : "Somebody has signed up, so this step counts as done."
          : "This step completes as soon as a browser displays your form. The demo page does not count."}
      </p>
      <Snippet id="first-run-snippet" label="HTML for any page">
        {snippetsFor(config.baseUrl, form, settings.current(), snippetLocales(view), view.now).html}
      </Snippet>
      {isLoopback(config.baseUrl) && (
        <Notice kind="plain">
          The public URL is <code>{config.baseUrl}</code>, which only this machine can reach.{" "}
          {view.may("operate")
            ? (
              <>
                Set <code>CFBE_BASE_URL</code>
              </>
            )
            : "Ask an admin to change it"} before you add the snippet to a public page.
        </Notice>
      )}
      {origins.length > 0 && (
        <Notice kind="plain">
          Only {origins.join(", ")} can embed your forms. Change this under allowed origins on the{" "}
          <a href={view.href("/general")}>General</a> page.
        </Notice>
      )}
      <p class="help">
        For your own markup, React and WordPress, see the{" "}
        <a href={view.href(`${formPath(form.name)}#embed`)}>Forms</a> page.
      </p>
    </>
  );
}

export function SignupStep({ view, run }: { view: View<"keyring" | "provider">; run: FirstRun }): VNode {
  if (run.done) {
    return (
      <div class="arrival good">
        <span class="signal">
          <Icon name="check" />
        </span>
        <div>
          <p>
            <strong>Your first signup is confirmed.</strong>
          </p>
          <p class="help">
            Further signups appear on the <a href={view.href("/overview")}>Overview</a> page.
          </p>
        </div>
      </div>
    );
  }
  const { waiting } = run.facts;
  const ready = run.current === "snippet" || run.current === "signup";
  if (!ready && !waiting) return <p>Complete the previous steps, then sign up yourself.</p>;
  return (
    <>
      <div class={waiting ? "arrival warn" : "arrival"}>
        <span class="signal" />
        <div>
          <p>
            <strong>
              {waiting
                ? "Someone has signed up. Waiting for the confirmation…"
                : "Waiting for your first signup…"}
            </strong>
          </p>
          <p class="help">
            {waiting ? <Pending view={view} waiting={waiting} /> : <SignUpYourself view={view} />}
          </p>
        </div>
      </div>
      <noscript>
        <meta http-equiv="refresh" content={String(RELOAD_SECONDS)} />
      </noscript>
    </>
  );
}

function SignUpYourself({ view }: { view: View<"keyring"> }): VNode {
  const { config, keyring, settings } = view.app;
  const current = settings.current();
  const [form] = current.forms.forms;
  if (!form) return <>Sign up yourself, on the page that contains your form.</>;
  const cfg = signTestConfig(keyring, current, form.name);
  return (
    <>
      Sign up yourself, on the page that contains your form. To try it first, use the{" "}
      <a href={`${pathPrefix(config.baseUrl)}/form/${form.name}?cfg=${cfg}`}>test page</a>: signups there are
      not counted, and do not complete this step.
    </>
  );
}

function Pending(
  { view, waiting: { status, since } }: {
    view: View<"provider">;
    waiting: NonNullable<FirstRun["facts"]["waiting"]>;
  },
): VNode {
  const { config, settings, provider } = view.app;
  if (status === "queued") {
    return (
      <>
        Queued for delivery to the provider since <Moment at={since} />. If this takes long, see the{" "}
        {view.may("personal") ? <a href={view.href("/jobs")}>Jobs</a> : "Jobs"} page.
      </>
    );
  }
  if (isSandbox(settings.current())) {
    return (
      <>
        The confirmation email is in the{" "}
        <a href={`${pathPrefix(config.baseUrl)}/sandbox`}>sandbox inbox</a>. Open the link in it.
      </>
    );
  }
  const hasWebhooks = sendsWebhooks(provider.capabilities);
  return (
    <>
      Open the link in the provider's confirmation email. Waiting since <Moment at={since} />.{" "}
      {!hasWebhooks && "cfbe detects the confirmation within 15 minutes."}
      {hasWebhooks && settings.current().webhooks.registeredUrl === "" && (
        <>
          cfbe detects the confirmation within 15 minutes, or immediately if you register the{" "}
          <a href={view.href("/webhooks")}>webhook</a>.
        </>
      )}
    </>
  );
}
