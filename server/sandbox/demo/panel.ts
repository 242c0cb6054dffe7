import { html } from "hono/html";

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

export function panel(
  { baseUrl, sandbox, canPoll }: { baseUrl: string; sandbox: boolean; canPoll: boolean },
) {
  return html`<aside class="panel" aria-labelledby="journey" data-panel>
  <h2 id="journey">The journey</h2>
  <p class="status" role="status" data-status>Sign up for the Sunday letter to see what happens.</p>
  <ol class="steps">${
    STEPS.map(({ name, title, description }) =>
      html`
        <li data-step="${name}" data-state="todo">
          <span class="dot" aria-hidden="true"></span>
          <div>
            <p
              class="title"><strong>${title}</strong> <span class="word" data-word></span> <span class="time" data-time></span></p>
            <p class="description" data-description>${description}</p>
          </div>
        </li>
      `
    )
  }</ol>
  <noscript><p>The journey needs JavaScript. The form works without it.</p></noscript>
  <p class="links">
    <a class="button" target="_blank" rel="noopener" title="${NEW_TAB}" data-mail hidden>Open the confirmation link</a>
    ${
    sandbox
      ? html`<a href="${baseUrl}/sandbox" target="_blank" rel="noopener" title="${NEW_TAB}">Inbox</a>`
      : ""
  }
    ${canPoll ? html`<button type="button" data-poll hidden>Poll now</button>` : ""}
  </p>
  ${sandbox ? switches() : ""}
  <section class="bot" aria-labelledby="bot">
    <h3 id="bot">Act as a bot</h3>
    <p>Sends a signup with the hidden field filled in, as bots do.</p>
    <button type="button" data-bot>Sign up like a bot</button>
    <div role="status" data-bot-result></div>
  </section>
</aside>`;
}

function switches() {
  return html`<fieldset class="switches">
  <legend>Simulate a failure</legend>
  <label><input type="checkbox" role="switch" data-switch="mode" data-on="503" data-off="none">
    <span>The provider is down <small>It responds with 503. Turn this off and the signup is delivered on the next attempt.</small></span></label>
  <label><input type="checkbox" role="switch" data-switch="webhooks" data-on="lose" data-off="deliver">
    <span>The webhook is lost <small>Polling then finds the confirmation within 15 minutes.</small></span></label>
</fieldset>`;
}
