import type { VNode } from "preact";
import { pathPrefix } from "../../../platform/config/config.ts";
import { TextField } from "../../parts/field.tsx";
import { PostForm } from "../../parts/form.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Moment } from "../../parts/site_time.tsx";
import type { View } from "../../frame/view.ts";
import type { SetupFacts } from "./facts.ts";
import type { StepProps } from "./step_props.ts";

/** How often the page reloads without JavaScript while it follows a test signup. */
const RELOAD_SECONDS = 15;

type Followed = NonNullable<SetupFacts["test"]["followed"]>;

export async function TestStep({ view, facts, current }: StepProps): Promise<VNode> {
  const { followed, sentAt } = facts.test;
  const isOpen = followed?.status === "queued" || followed?.status === "pending";
  return (
    <>
      <p>
        Signs up an address of yours to the default list, like a visitor's signup. It is marked as a test and
        left out of your figures. A mailbox gets at most one confirmation email per day for the same address,
        so use another address for each test, such as you+test1@example.com.
      </p>
      {followed
        ? <Progress view={view} facts={facts} followed={followed} person={await personHref(view, followed)} />
        : sentAt !== undefined && (
          <p class="help">
            The last test was sent at <Moment at={sentAt} />.
          </p>
        )}
      <PostForm view={view} action="cfbe_send_test_signup" id="provider-test">
        <TextField
          path="email"
          label="Your email address"
          type="email"
          required
          autocomplete="off"
          spellcheck={false}
        />
        <div class="buttons">
          <button type="submit" class={current && !followed ? "primary" : undefined}>
            {followed ? "Send another test signup" : "Send test signup"}
          </button>
        </div>
      </PostForm>
      {isOpen && (
        <noscript>
          <meta http-equiv="refresh" content={String(RELOAD_SECONDS)} />
        </noscript>
      )}
    </>
  );
}

async function personHref(view: View, { email }: Followed): Promise<string> {
  const list = view.app.settings.current().general.defaultList;
  return view.href(`/subscriber${await view.encryptQuery([["email", email], ["list", list]])}`);
}

/** What has happened to the test signup, and what comes next. */
function Progress(
  { view, facts, followed, person }: { view: View; facts: SetupFacts; followed: Followed; person: string },
): VNode {
  const { status, email, acceptedAt, delivered, confirmedAt, unconfirmed } = followed;
  const tone = status === "active" && !unconfirmed
    ? "good"
    : status === "queued" || status === "pending"
    ? "warn"
    : "";
  return (
    <>
      <ol class="stages">
        <Stage done title="Accepted">
          <Moment at={acceptedAt} />, for <a href={person}>{email}</a>
        </Stage>
        <Stage done={delivered} title={`Delivered to ${facts.isSandbox ? "the sandbox" : facts.title}`}>
          {!delivered &&
            (status === "failed" ? followed.reason : "A few seconds, unless the provider is down.")}
        </Stage>
        <Stage done={confirmedAt !== undefined && !unconfirmed} title="Confirmed">
          {confirmedAt !== undefined
            ? unconfirmed
              ? "No confirmation was asked for. Check double opt-in above."
              : <Moment at={confirmedAt} />
            : status === "pending" && <ConfirmHint view={view} facts={facts} />}
        </Stage>
      </ol>
      {tone === "good" && <p>Signups arrive at your list, and cfbe sees who confirms.</p>}
    </>
  );
}

function Stage({ done, title, children }: { done: boolean; title: string; children?: unknown }): VNode {
  return (
    <li class={done ? "done" : undefined}>
      <span class="dot">{done && <Icon name="check" />}</span>
      <div>
        <strong>{title}</strong>
        <span class="hidden">{done ? "(done)" : "(open)"}</span>
        {children && <p class="help">{children as VNode}</p>}
      </div>
    </li>
  );
}

function ConfirmHint({ view, facts }: { view: View; facts: SetupFacts }): VNode {
  if (facts.isSandbox) {
    const inbox = `${pathPrefix(view.app.config.baseUrl)}/sandbox`;
    return (
      <>
        The confirmation email is in the <a href={inbox}>sandbox inbox</a>. Open the link in it.
      </>
    );
  }
  const registered = facts.webhook?.kind === "state" && facts.webhook.state === "ours";
  return (
    <>
      Open the link in the confirmation email. cfbe sees it{" "}
      {registered ? "within seconds" : "within 15 minutes"}.
    </>
  );
}
