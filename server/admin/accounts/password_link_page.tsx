import { ROLE_TITLES } from "../auth/capability.ts";
import { PASSWORD_LINK_PATHS, type PasswordLink, type PasswordLinkKind } from "../auth/password_link.ts";
import { OIDC_START } from "../auth/oidc/paths.ts";
import { PasskeyButton, WithoutPasskeys } from "../parts/passkey_button.tsx";
import {
  type MessagePage,
  messagePage,
  NewPasswordField,
  renderMessagePage,
} from "../shell/sign_in_page.tsx";

interface Words {
  title: string;
  /** Help on the page that a link opens. */
  opening: string;
  button: string;
  expired: string;
}

const WORDS: Record<PasswordLinkKind, Words> = {
  invitation: {
    title: "Accept your invitation",
    opening: "Paste the invitation link you were sent.",
    button: "Create account and sign in",
    expired:
      "An invitation works once, for 72 hours, and can be revoked. If you have used it already, sign in. Otherwise ask for a new one.",
  },
  reset: {
    title: "Choose a new password",
    opening: "Paste the new-password link you were sent.",
    button: "Save password and sign in",
    expired:
      "A new-password link works once, for 24 hours, and can be revoked. If you have used it already, sign in. Otherwise ask for a new one.",
  },
};

interface LinkPage extends MessagePage {
  kind: PasswordLinkKind;
}

/** Renders the page that a link opens. */
export function openLinkPage(page: LinkPage): string {
  const { title, opening } = WORDS[page.kind];
  return pasteLinkPage({ ...page, title, help: opening, path: PASSWORD_LINK_PATHS[page.kind] });
}

/** Renders the page that the link to create the first admin opens. */
export function openSetUpPage(page: MessagePage): string {
  const help = "Paste the link that cfbe printed when it started.";
  return pasteLinkPage({ ...page, title: "Create the first admin", help, path: "/set-up" });
}

/**
 * Renders a page whose script sends the token, which is in the URL's fragment; without JavaScript, people paste the link.
 */
function pasteLinkPage(page: MessagePage & { title: string; help: string; path: string }): string {
  return renderMessagePage(
    page,
    page.title,
    <>
      <form
        class="form"
        method="post"
        action={page.href(page.path)}
        data-form="leave"
        data-link
      >
        <div class="field">
          <label for="link">Link</label>
          <input
            id="link"
            name="link"
            required
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            aria-describedby="link-help"
          />
          <p class="help" id="link-help">{page.help}</p>
        </div>
        <button type="submit" class="primary">Continue</button>
      </form>
      <script type="module" src={page.href("/assets/password_link.js")} />
    </>,
  );
}

/** Renders the form that uses a link up. */
export function choosePasswordPage(
  page: LinkPage & {
    link: PasswordLink;
    token: string;
    /** The organization's name, or the host of the public URL. */
    site: string;
    fields?: Record<string, string>;
  },
): string {
  const { kind, link: { name, role }, fields = {} } = page;
  const { title, button } = WORDS[kind];
  const repeat = fields["repeat"];
  return renderMessagePage(
    page,
    title,
    <>
      <form class="form" method="post" action={page.href(PASSWORD_LINK_PATHS[kind])} data-form="leave">
        {kind === "invitation"
          ? (
            <p>
              You are invited to the cfbe admin of <strong>{page.site}</strong>. Your role is{" "}
              <strong>{ROLE_TITLES[role]}</strong>.
            </p>
          )
          : (
            <p>
              For the cfbe admin of <strong>{page.site}</strong>. You will be signed out on all other devices.
            </p>
          )}
        <input type="hidden" name="link" value={page.token} />
        <div class="field">
          <label for="name">Name</label>
          <input id="name" value={name} readOnly autocomplete="username" aria-describedby="name-help" />
          <p class="help" id="name-help">You sign in with this name.</p>
        </div>
        <NewPasswordField error={fields["password"]} focused />
        <div class="field">
          <label for="repeat">Repeat password</label>
          <input
            id="repeat"
            name="repeat"
            type="password"
            required
            autocomplete="new-password"
            autofocus={Boolean(repeat && !fields["password"])}
            aria-invalid={repeat ? "true" : undefined}
            aria-describedby="repeat-error"
          />
          <p class="error" id="repeat-error">{repeat}</p>
        </div>
        <button type="submit" class="primary">{button}</button>
      </form>
      {kind === "invitation" && page.provider && <ContinueForm page={page} provider={page.provider} />}
    </>,
  );
}

/**
 * Renders the form that uses a link up while passwords are turned off.
 *
 * @param page.options what the browser needs to create a passkey; undefined if there can be none
 * @param page.title what the passkey is called at first
 * @param page.hasFactor whether the user has a second factor, which a passkey would replace
 */
export function choosePasskeyPage(
  page: LinkPage & {
    link: PasswordLink;
    token: string;
    site: string;
    options: object | undefined;
    title: string;
    hasFactor: boolean;
  },
): string {
  const { kind, link: { name, role }, options, provider, hasFactor } = page;
  const about = kind === "invitation"
    ? (
      <p>
        You are invited to the cfbe admin of <strong>{page.site}</strong>. Your role is{" "}
        <strong>{ROLE_TITLES[role]}</strong>. Passwords are turned off.
      </p>
    )
    : (
      <p>
        For the cfbe admin of{" "}
        <strong>{page.site}</strong>. You will be signed out on all other devices. Passwords are turned off.
      </p>
    );
  return renderMessagePage(
    page,
    kind === "invitation" ? WORDS.invitation.title : "Choose how to sign in",
    <>
      {options
        ? (
          <form class="form" method="post" action={page.href(PASSWORD_LINK_PATHS[kind])} data-form="leave">
            {about}
            <input type="hidden" name="link" value={page.token} />
            <div class="field">
              <label for="name">Name</label>
              <input id="name" value={name} readOnly autocomplete="username" />
            </div>
            <div class="field">
              <label for="title">Name of the passkey</label>
              <input
                id="title"
                name="title"
                value={page.title}
                maxLength={60}
                autocomplete="off"
                aria-describedby="title-help"
              />
              <p class="help" id="title-help">Where the passkey is kept, for example: Work laptop.</p>
            </div>
            <PasskeyButton
              use="create"
              field="passkey"
              label="Create passkey and sign in"
              primary
              options={options}
            />
            <WithoutPasskeys />
          </form>
        )
        : about}
      {hasFactor && (
        <p>
          You have a second factor. To create a passkey, ask an admin to remove it first, on the Users page.
        </p>
      )}
      {provider && <ContinueForm page={page} provider={provider} />}
    </>,
  );
}

/** The button that uses a link up with an account at the identity provider. */
function ContinueForm({ page, provider }: { page: LinkPage & { token: string }; provider: string }) {
  return (
    <form class="form other-way" method="post" action={page.href(OIDC_START)} data-form="leave">
      <input type="hidden" name="link" value={page.token} />
      <button type="submit">Continue with {provider}</button>
      <p class="help">You then sign in there, without a password here.</p>
    </form>
  );
}

/** Renders the response to a link that cannot be used. */
export function expiredLinkPage(page: LinkPage): string {
  return messagePage({
    ...page,
    title: "This link is no longer valid",
    message: WORDS[page.kind].expired,
  });
}
