import type { VNode } from "preact";
import { isLoopback, pathPrefix } from "../../config.ts";
import { Icon } from "../parts/icons.tsx";
import { Notice } from "../parts/notice.tsx";
import { Snippet } from "../parts/preview.tsx";
import { Moment } from "../parts/table.tsx";
import { snippetsFor } from "../snippets.ts";
import { isSandbox } from "../../settings/provider.ts";
import type { View } from "../view.ts";
import type { FirstRun } from "./first_run_state.ts";

/** Without a script the page is loaded again as a whole. */
const RELOAD_SECONDS = 15;

export function SnippetStep({ view, run }: { view: View; run: FirstRun }): VNode {
  const { config, settings } = view.app;
  const { forms: { forms: [form] }, form: asked, general: { origins } } = settings.current();
  if (!form) return <p>The snippet is here once your form has a name.</p>;
  const seen = run.steps.some(({ name, done }) => name === "snippet" && done);
  return (
    <>
      <p>
        Paste it where the form is to stand, then open that page.{" "}
        {seen ? "A browser has shown your form." : "This step is done as soon as a browser shows your form."}
      </p>
      <Snippet id="first-run-snippet" label="HTML, on any page">
        {snippetsFor(config.baseUrl, form, asked).html}
      </Snippet>
      {isLoopback(config.baseUrl) && (
        <Notice kind="plain">
          The public address is{" "}
          <code>{config.baseUrl}</code>: only pages that are opened on this machine reach it. Set{" "}
          <code>CFBE_BASE_URL</code> before you paste into a page for others.
        </Notice>
      )}
      {origins.length > 0 && (
        <Notice kind="plain">
          Forms may stand on {origins.join(", ")} alone, as <a href={view.href("/general")}>General</a> says.
        </Notice>
      )}
      <p class="help">
        Your own markup, React and WordPress are on the page{" "}
        <a href={view.href(`/forms?form=${form.name}#embed`)}>Forms</a>.
      </p>
    </>
  );
}

export function SignupStep({ view, run }: { view: View; run: FirstRun }): VNode {
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
            Everybody who follows is counted in the <a href={view.href("/overview")}>Overview</a>.
          </p>
        </div>
      </div>
    );
  }
  const { waiting } = run.facts;
  const ready = run.current === "snippet" || run.current === "signup";
  if (!ready && !waiting) return <p>Sign up yourself once the steps before this one are done.</p>;
  return (
    <>
      <div class={waiting ? "arrival warn" : "arrival"}>
        <span class="signal" />
        <div>
          <p>
            <strong>
              {waiting
                ? "Somebody has signed up. Waiting for the confirmation…"
                : "Waiting for your first signup…"}
            </strong>
          </p>
          <p class="help">
            {waiting
              ? <Pending view={view} waiting={waiting} />
              : "Sign up yourself, on the page that you have pasted the form into."}
          </p>
        </div>
      </div>
      <noscript>
        <meta http-equiv="refresh" content={String(RELOAD_SECONDS)} />
      </noscript>
    </>
  );
}

function Pending(
  { view, waiting: { status, since } }: { view: View; waiting: NonNullable<FirstRun["facts"]["waiting"]> },
): VNode {
  const { config, settings } = view.app;
  if (status === "queued") {
    return (
      <>
        It is on its way to the provider since <Moment at={since} />; the page{" "}
        <a href={view.href("/jobs")}>
          Jobs
        </a>{" "}
        says what keeps it if that takes long.
      </>
    );
  }
  if (isSandbox(settings.current())) {
    return (
      <>
        The mail is in the{" "}
        <a href={`${pathPrefix(config.baseUrl)}/sandbox`}>inbox of the sandbox</a>: open the link in it.
      </>
    );
  }
  return (
    <>
      The provider has mailed a link since <Moment at={since} />: open it.{" "}
      {settings.current().webhooks.registeredUrl === "" && (
        <>
          It is noticed at once when the <a href={view.href("/webhooks")}>webhook</a>{" "}
          is registered, and within 15 minutes otherwise.
        </>
      )}
    </>
  );
}
