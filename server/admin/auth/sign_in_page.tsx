import type { ComponentChildren } from "preact";
import { Brand, documentOf } from "../parts/shell.tsx";
import { Notice } from "../parts/notice.tsx";

export interface MessagePage {
  href: (path: string) => string;
  /** Error to show. */
  problem?: string | undefined;
  /** Warning about the deployment. */
  warning?: string | undefined;
}

/** Renders the sign-in page. @param next path below the admin to open afterward */
export function signInPage(
  page: MessagePage & { next: string; name: string; message?: string | undefined },
): string {
  return renderMessagePage(
    page,
    "Sign in",
    <>
      {page.message && <Notice kind="plain">{page.message}</Notice>}
      <form class="form" method="post" action={page.href("/login")} data-form="leave">
        <input type="hidden" name="next" value={page.next} />
        <NameField value={page.name} />
        <div class="field">
          <label for="password">Password</label>
          <input id="password" name="password" type="password" required autocomplete="current-password" />
        </div>
        <button type="submit" class="primary">Sign in</button>
      </form>
    </>,
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
      <NameField value={page.name} error={fields["name"] ?? ""} />
      <NewPasswordField error={fields["password"]} />
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
    title,
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
            <div role="alert">
              <Notice kind="bad">{page.problem}</Notice>
            </div>
          )}
          {body}
        </main>
      </div>
    ),
  });
}

/** Renders the field for a user name. `error` is empty if the name is valid, and absent where none can be shown. */
function NameField({ value, error }: { value: string; error?: string }) {
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
        aria-invalid={error ? "true" : undefined}
        aria-describedby={error === undefined ? undefined : "name-error"}
      />
      {error !== undefined && <p class="error" id="name-error">{error}</p>}
    </div>
  );
}

/** Renders the field for a new password. */
export function NewPasswordField({ error }: { error: string | undefined }) {
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
        aria-invalid={error ? "true" : undefined}
        aria-describedby="password-help password-error"
      />
      <p class="help" id="password-help">At least 10 characters.</p>
      <p class="error" id="password-error">{error}</p>
    </div>
  );
}
