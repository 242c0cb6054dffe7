import type { ComponentChildren } from "preact";
import { documentOf } from "../parts/shell.tsx";
import { Notice } from "../parts/notice.tsx";

interface Gate {
  href: (path: string) => string;
  /** What is wrong, in one sentence. */
  problem?: string | undefined;
  /** What may be wrong with where this is served. */
  warning?: string | undefined;
}

/** The page before every other. @param next where it leads, a path below the admin */
export function signInPage(gate: Gate & { next: string; name: string; says?: string | undefined }): string {
  return gatePage(
    gate,
    "Sign in",
    <>
      {gate.says && <Notice kind="plain">{gate.says}</Notice>}
      <form class="form" method="post" action={gate.href("/login")} data-form="leave">
        <input type="hidden" name="next" value={gate.next} />
        <div class="field">
          <label for="name">Name</label>
          <input
            id="name"
            name="name"
            value={gate.name}
            required
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
          />
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input id="password" name="password" type="password" required autocomplete="current-password" />
        </div>
        <button type="submit" class="primary">Sign in</button>
      </form>
    </>,
  );
}

/** Where the one-time link leads. */
export function setUpPage(
  gate: Gate & { token: string; name: string; fields?: Record<string, string> },
): string {
  const { fields = {} } = gate;
  return gatePage(
    gate,
    "Set up the first admin",
    <form class="form" method="post" action={gate.href("/set-up")} data-form="leave">
      <input type="hidden" name="token" value={gate.token} />
      <div class="field">
        <label for="name">Name</label>
        <input
          id="name"
          name="name"
          value={gate.name}
          required
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          aria-invalid={fields["name"] ? "true" : undefined}
          aria-describedby="name-error"
        />
        <p class="error" id="name-error">{fields["name"]}</p>
      </div>
      <div class="field">
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          required
          minLength={10}
          autocomplete="new-password"
          aria-invalid={fields["password"] ? "true" : undefined}
          aria-describedby="password-help password-error"
        />
        <p class="help" id="password-help">10 characters or more.</p>
        <p class="error" id="password-error">{fields["password"]}</p>
      </div>
      <button type="submit" class="primary">Create and sign in</button>
    </form>,
  );
}

/** A page with something to read and nothing to fill in. */
export function deadEndPage(gate: Gate & { title: string; says: ComponentChildren }): string {
  return gatePage(gate, gate.title, <p>{gate.says}</p>);
}

function gatePage(gate: Gate, title: string, body: ComponentChildren): string {
  return documentOf({
    title,
    href: gate.href,
    children: (
      <main class="gate" id="main">
        <p class="brand">cfbe</p>
        <h1>{title}</h1>
        {gate.warning && <Notice kind="warn">{gate.warning}</Notice>}
        {gate.problem && (
          <div role="alert">
            <Notice kind="bad">{gate.problem}</Notice>
          </div>
        )}
        {body}
      </main>
    ),
  });
}
