import type { ComponentChildren } from "preact";
import { OIDC_START } from "../auth/oidc/paths.ts";
import { Brand, documentOf } from "./shell.tsx";
import { Notice } from "../parts/notice.tsx";
import type { SignInWays } from "./sign_in_ways.ts";
import { PasskeyButton, WithoutPasskeys } from "../parts/passkey_button.tsx";

const PROBLEM_ID = "problem";

export interface MessagePage {
  href: (path: string) => string;
  /** What the identity provider is called, on pages that offer it. */
  provider?: string | undefined;
  /** Error to show. */
  problem?: string | undefined;
  /** Warning about the deployment. */
  warning?: string | undefined;
}

/** Renders the sign-in page. @param next path below the admin to open afterward */
export function signInPage(
  page: MessagePage & SignInWays & { next: string; name: string; message?: string | undefined },
): string {
  return renderMessagePage(
    page,
    "Sign in",
    <>
      {page.message && <Notice kind="plain">{page.message}</Notice>}
      {page.passwords
        ? (
          <form class="form" method="post" action={page.href("/login")} data-form="leave">
            <input type="hidden" name="next" value={page.next} />
            <NameField value={page.name} describedBy={page.problem && PROBLEM_ID} />
            <PasswordField name="password" problem={page.problem} focused={Boolean(page.problem)} />
            <button type="submit" class="primary">Sign in</button>
          </form>
        )
        : (
          <p>
            Sign in with a passkey{page.provider && ` or with ${page.provider}`}. Passwords are turned off.
          </p>
        )}
      <form class="form other-way" method="post" action={page.href("/login/passkey")} data-form="leave">
        <input type="hidden" name="next" value={page.next} />
        <PasskeyButton
          use="get"
          field="passkey"
          label="Use a passkey"
          options={page.href("/login/passkey")}
        />
        {!page.passwords && <WithoutPasskeys />}
        {page.provider && (
          <a class="button" href={page.href(`${OIDC_START}?${new URLSearchParams({ next: page.next })}`)}>
            Continue with {page.provider}
          </a>
        )}
      </form>
    </>,
  );
}

/** Renders the second step of signing in. @param page.state see `sign_in_state.ts` */
export function codePage(page: MessagePage & { next: string; state: string }): string {
  return renderMessagePage(
    page,
    "Enter your code",
    <form class="form" method="post" action={page.href("/login/code")} data-form="leave">
      <input type="hidden" name="next" value={page.next} />
      <input type="hidden" name="state" value={page.state} />
      <div class="field">
        <label for="code">Code</label>
        <input
          id="code"
          name="code"
          required
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
          autofocus
          aria-describedby={page.problem ? `${PROBLEM_ID} code-help` : "code-help"}
        />
        <p class="help" id="code-help">
          The six digits that your authenticator app shows, or a recovery code.
        </p>
      </div>
      <button type="submit" class="primary">Sign in</button>
      <a href={page.href("/login")}>Start again</a>
    </form>,
  );
}

/** Renders the page that leads to the identity provider. */
export function continuePage(page: MessagePage & { name: string; url: string }): string {
  return renderMessagePage(
    page,
    `Continue with ${page.name}`,
    <div class="form">
      <p>Sign in there. You then come back, and your account is created.</p>
      <a class="button primary" href={page.url}>Continue with {page.name}</a>
      <a href={page.href("/login")}>Cancel</a>
    </div>,
  );
}

/** Renders the page that creates the first admin. */
export function setUpPage(
  page: MessagePage & { token: string; name: string; fields?: Record<string, string> },
): string {
  const { fields = {} } = page;
  return renderMessagePage(
    page,
    "Create the first admin",
    <form class="form" method="post" action={page.href("/set-up")} data-form="leave">
      <input type="hidden" name="token" value={page.token} />
      <NameField value={page.name} error={fields["name"]} describedBy="name-error" />
      <NewPasswordField error={fields["password"]} focused={!fields["name"]} />
      <button type="submit" class="primary">Create and sign in</button>
    </form>,
  );
}

/** Renders a page with only a message and a link to the admin. */
export function messagePage(page: MessagePage & { title: string; message: ComponentChildren }): string {
  return renderMessagePage(
    page,
    page.title,
    <>
      <p>{page.message}</p>
      <p>
        <a href={page.href("/")}>Back to the admin</a>
      </p>
    </>,
  );
}

/** Renders a page without navigation: for signing in, and for messages. */
export function renderMessagePage(page: MessagePage, title: string, body: ComponentChildren): string {
  return documentOf({
    title: page.problem ? `Error: ${title}` : title,
    href: page.href,
    children: (
      <div class="sign-in">
        <header>
          <Brand href={page.href} />
          <p>Newsletter signups with double opt-in and proof of consent.</p>
        </header>
        <main id="main" tabIndex={-1}>
          <h1>{title}</h1>
          {page.warning && <Notice kind="warn">{page.warning}</Notice>}
          {page.problem && (
            <div id={PROBLEM_ID} role="alert">
              <Notice kind="bad">{page.problem}</Notice>
            </div>
          )}
          {body}
        </main>
      </div>
    ),
  });
}

/** Renders the field for a user name. @param describedBy ID of the element that says what is wrong, here or above */
function NameField(
  { value, error, describedBy }: {
    value: string;
    error?: string | undefined;
    describedBy: string | undefined;
  },
) {
  return (
    <div class="field">
      <label for="name">Name</label>
      <input
        id="name"
        name="name"
        value={value}
        required
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        autofocus={Boolean(error)}
        aria-invalid={error ? "true" : undefined}
        aria-describedby={describedBy}
      />
      {describedBy === "name-error" && <p class="error" id="name-error">{error}</p>}
    </div>
  );
}

/** Renders the field for the present password. @param problem of the whole page, which describes the field */
export function PasswordField(
  { name, problem, focused }: { name: string; problem: string | undefined; focused: boolean },
) {
  return (
    <div class="field">
      <label for="password">Password</label>
      <input
        id="password"
        name={name}
        type="password"
        required
        autocomplete="current-password"
        autofocus={focused}
        aria-describedby={problem && PROBLEM_ID}
      />
    </div>
  );
}

/** Renders the field for a new password. @param focused whether the field has the focus if it is wrong */
export function NewPasswordField({ error, focused }: { error: string | undefined; focused: boolean }) {
  return (
    <div class="field">
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        required
        minLength={10}
        autocomplete="new-password"
        autofocus={focused && Boolean(error)}
        aria-invalid={error ? "true" : undefined}
        aria-describedby="password-help password-error"
      />
      <p class="help" id="password-help">At least 10 characters, and not a common password.</p>
      <p class="error" id="password-error">{error}</p>
    </div>
  );
}
