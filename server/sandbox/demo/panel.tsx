import type { VNode } from "preact";

const NEW_TAB = "Opens in a new tab";

/** The five steps of the journey. The script refers to them by name. */
const STEPS = [
  {
    name: "token",
    title: "Token",
    description:
      "The form fetches a token when it becomes visible. The token proves how long the form was open.",
  },
  {
    name: "accepted",
    title: "Accepted",
    description: "The signup is stored durably before the visitor gets a response.",
  },
  {
    name: "provider",
    title: "At the provider",
    description: "Delivered in the background; retried for up to three days.",
  },
  {
    name: "mail",
    title: "Confirmation email",
    description: "Sent by the provider. Open it and click the link.",
  },
  {
    name: "confirmed",
    title: "Confirmed",
    description: "Reported by webhook, or found by polling if the webhook is lost.",
  },
];

const SWITCHES = [
  {
    name: "mode",
    on: "503",
    off: "none",
    title: "The provider is down",
    effect: "It responds with 503. Turn this off and the signup is delivered on the next attempt.",
  },
  {
    name: "webhooks",
    on: "lose",
    off: "deliver",
    title: "The webhook is lost",
    effect: "Polling then finds the confirmation within 15 minutes.",
  },
];

export function panel(
  { baseUrl, sandbox, canPoll }: { baseUrl: string; sandbox: boolean; canPoll: boolean },
): VNode {
  return (
    <aside class="panel" aria-labelledby="journey" data-panel="">
      <h2 id="journey">The journey</h2>
      <p class="status" role="status" data-status="">Sign up for the Sunday letter to see what happens.</p>
      <ol class="steps">
        {STEPS.map(({ name, title, description }) => (
          <li key={name} data-step={name} data-state="todo">
            <span class="dot" aria-hidden="true" />
            <div>
              <p class="title">
                <strong>{title}</strong> <span class="word" data-word="" /> <span class="time" data-time="" />
              </p>
              <p class="description" data-description="">{description}</p>
            </div>
          </li>
        ))}
      </ol>
      <noscript>
        <p>The journey needs JavaScript. The form works without it.</p>
      </noscript>
      <p class="links">
        <a class="button" target="_blank" rel="noopener" title={NEW_TAB} data-mail="" hidden>
          Open the confirmation link
        </a>
        {sandbox && <a href={`${baseUrl}/sandbox`} target="_blank" rel="noopener" title={NEW_TAB}>Inbox</a>}
        {canPoll && <button type="button" data-poll="" hidden>Poll now</button>}
      </p>
      {sandbox && switches()}
      <section class="bot" aria-labelledby="bot">
        <h3 id="bot">Act as a bot</h3>
        <p>Sends a signup with the hidden field filled in, as bots do.</p>
        <button type="button" data-bot="">Sign up like a bot</button>
        <div role="status" data-bot-result="" />
      </section>
    </aside>
  );
}

const switches = (): VNode => (
  <fieldset class="switches">
    <legend>Simulate a failure</legend>
    {SWITCHES.map(({ name, on, off, title, effect }) => (
      <label key={name}>
        <input type="checkbox" role="switch" data-switch={name} data-on={on} data-off={off} />{" "}
        <span>
          {title} <small>{effect}</small>
        </span>
      </label>
    ))}
  </fieldset>
);
