import type { ComponentChildren, VNode } from "preact";
import { Card } from "../../server/admin/parts/card.tsx";
import { Confirm, Question, Revoke } from "../../server/admin/parts/confirm.tsx";
import { Icon } from "../../server/admin/parts/icons.tsx";
import type { View } from "../../server/admin/frame/view.ts";

/** Parts of one kind beside each other, with a heading. */
export function Row({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <>
      <h3>{title}</h3>
      <div class="buttons sample">{children}</div>
    </>
  );
}

const RANKS = {
  "": "Default",
  primary: "Primary",
  quiet: "Quiet",
  danger: "Dangerous",
  "danger primary": "Dangerous, primary",
};

/** One button of each rank, as a state shows it. */
function Ranks({ state, disabled }: { state?: string; disabled?: boolean }): VNode {
  return (
    <>
      {Object.entries(RANKS).map(([rank, label]) => (
        <button
          key={rank}
          type="button"
          class={[rank, state].filter(Boolean).join(" ") || undefined}
          disabled={disabled}
        >
          {label}
        </button>
      ))}
    </>
  );
}

/** Buttons of every rank in every state. */
export function Buttons({ view }: { view: View }): VNode {
  const href = view.href("/parts");
  return (
    <Card
      title="Buttons"
      lead="Other pages have at most one primary button. A button that destroys something is red."
    >
      <Row title="Ranks">
        <Ranks />
        <a class="button" href={href}>Link</a>
        <a class="button primary" href={href}>Primary link</a>
        <button type="button">
          <Icon name="plus" /> With an icon
        </button>
        <button type="button" class="quiet">
          <Icon name="cross" />
          <span class="hidden">Only an icon</span>
        </button>
      </Row>
      <Row title="Focused with the keyboard">
        <Ranks state="focused" />
        <a class="button focused" href={href}>Link</a>
        <a class="focused" href={href}>Link in a text</a>
        <input class="focused" aria-label="Focused text" value="A focused field" />
        <input class="focused" type="checkbox" role="switch" aria-label="Focused switch" checked />
      </Row>
      <Row title="Disabled">
        <Ranks disabled />
      </Row>
      <h3>Busy, while a form is sent</h3>
      <div class="buttons sample" aria-busy="true">
        <Ranks />
      </div>
    </Card>
  );
}

/** Dialogs that ask for confirmation: closed, and open in the page. */
export function Dialogs({ view }: { view: View }): VNode {
  const question = {
    view,
    title: "Test the connection?",
    action: "cfbe_test_connection",
    yes: "Test connection",
  };
  const text = "Sends one request to the provider.";
  return (
    <Card title="Dialogs">
      <Row title="Closed">
        <Confirm {...question} id="parts-confirm" button="Ask" danger={false}>{text}</Confirm>
        <Confirm {...question} id="parts-confirm-danger" button="Ask, dangerous">{text}</Confirm>
        <Revoke view={view} id="parts" name="Shop" what="token" action="cfbe_test_connection">{text}</Revoke>
      </Row>
      <Row title="Open">
        {[false, true].map((danger) => {
          const id = `parts-question${danger ? "-danger" : ""}`;
          return (
            <dialog key={id} id={id} class="sample" aria-labelledby={`${id}-title`} open>
              <Question {...question} id={id} danger={danger} focus={false}>{text}</Question>
            </dialog>
          );
        })}
      </Row>
    </Card>
  );
}
