import { html } from "hono/html";

/** The journey's five steps, as the script knows them by name. */
const STEPS = [
  {
    name: "token",
    title: "Token",
    says: "The form fetches a token when it comes into view: it shows how long somebody looked at it.",
  },
  {
    name: "accepted",
    title: "Accepted",
    says: "The signup is stored for good before the visitor is answered.",
  },
  {
    name: "provider",
    title: "At the provider",
    says: "Handed over in the background; tried again for three days if it must be.",
  },
  { name: "mail", title: "Confirmation mail", says: "Sent by the provider. Open it, and click the link." },
  { name: "confirmed", title: "Confirmed", says: "A webhook tells us; if it gets lost, a poll finds out." },
];

export function panel(
  { baseUrl, sandbox, canLook }: { baseUrl: string; sandbox: boolean; canLook: boolean },
) {
  return html`<aside class="panel" aria-labelledby="journey" data-panel>
  <h2 id="journey">The journey</h2>
  <p class="status" role="status" data-status>Sign up for the Sunday letter, and watch.</p>
  <ol class="steps">${
    STEPS.map(({ name, title, says }) =>
      html`
        <li data-step="${name}" data-state="todo">
          <span class="dot" aria-hidden="true"></span>
          <div>
            <p
              class="title"><strong>${title}</strong> <span class="word" data-word></span> <span class="time" data-time></span></p>
            <p class="says" data-says>${says}</p>
          </div>
        </li>
      `
    )
  }</ol>
  <noscript><p>The journey is drawn by a script; the form works without.</p></noscript>
  <p class="links">
    <a class="button" target="_blank" rel="noopener" data-mail hidden>Open the link in the mail</a>
    ${sandbox ? html`<a href="${baseUrl}/sandbox" target="_blank" rel="noopener">Inbox</a>` : ""}
    ${canLook ? html`<button type="button" data-look hidden>Poll now</button>` : ""}
  </p>
  ${sandbox ? switches() : ""}
  <section class="bot" aria-labelledby="bot">
    <h3 id="bot">Be a bot</h3>
    <p>Sends a signup with the hidden field filled in, as robots do.</p>
    <button type="button" data-bot>Sign up like a bot</button>
    <div role="status" data-bot-says></div>
  </section>
</aside>`;
}

function switches() {
  return html`<fieldset class="switches">
  <legend>Make something go wrong</legend>
  <label><input type="checkbox" role="switch" data-switch="mode" data-on="503" data-off="none">
    <span>The provider is down <small>It answers 503. Switch it off, and the signup arrives at the next try.</small></span></label>
  <label><input type="checkbox" role="switch" data-switch="webhooks" data-on="lose" data-off="deliver">
    <span>The webhook gets lost <small>The confirmation is then noticed by the poll, within 15 minutes.</small></span></label>
</fieldset>`;
}
