import { fileURLToPath } from "node:url";
import { freePort } from "../free_port.ts";

const SCRIPT = fileURLToPath(new URL("openid_provider.mjs", import.meta.url));
/** Of the client `cfbe`. */
const OIDC_SECRET = "a secret: with signs/of all+kinds";

/** A real OpenID provider as a process; see `openid_provider.mjs`. */
export interface OpenIdProvider extends AsyncDisposable {
  issuer: string;
  /** The variables with which cfbe uses it. */
  env: Record<string, string>;
  /**
   * Signs somebody in there, as a browser does, and returns the URL that it sends them back to.
   *
   * @param groups which their claim has; it is absent without any
   */
  signIn(url: string, name: string, groups?: readonly string[]): Promise<string>;
}

/** Starts a provider. @param back where it sends people back to */
export async function startOpenIdProvider(back: string): Promise<OpenIdProvider> {
  const port = freePort();
  const issuer = `http://localhost:${port}`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--node-modules-dir=manual", SCRIPT, String(port), back],
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = child.stdout.getReader();
  const decoder = new TextDecoder();
  for (let text = ""; !text.includes("ready");) {
    const { done, value } = await output.read();
    if (done) throw new Error(`the OpenID provider did not start: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  return {
    issuer,
    env: {
      CFBE_OIDC_ISSUER: issuer,
      CFBE_OIDC_CLIENT_ID: "cfbe",
      CFBE_OIDC_CLIENT_SECRET: OIDC_SECRET,
      CFBE_OIDC_NAME: "Example ID",
    },
    signIn(url, name, groups = []) {
      const start = new URL(url);
      if (groups.length > 0) start.searchParams.set("login_hint", groups.join(" "));
      return follow(start.href, name, issuer);
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.status;
      await output.cancel();
    },
  };
}

/** Follows redirects and submits the provider's forms until it leads elsewhere. */
async function follow(start: string, name: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let [url, body] = [start, undefined as URLSearchParams | undefined];
  for (let step = 0; step < 20; step++) {
    if (!url.startsWith(`${issuer}/`)) return url;
    const response = await fetch(url, {
      method: body ? "POST" : "GET",
      redirect: "manual",
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
      ...(body && { body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(key!, value!);
    }
    const html = await response.text();
    const location = response.headers.get("location");
    [url, body] = location
      ? [new URL(location, url).href, undefined]
      : [new URL(/action="([^"]+)"/.exec(html)?.[1] ?? "/", url).href, fieldsOf(html, name)];
  }
  throw new Error(`the provider does not lead back from ${url}`);
}

function fieldsOf(html: string, name: string): URLSearchParams {
  const [, prompt] = /name="prompt" value="([^"]+)"/.exec(html) ?? [];
  if (prompt === undefined) throw new Error(html.replace(/<style>[^]*<\/style>/, "").slice(0, 1000));
  return new URLSearchParams({ prompt, login: name, password: "any" });
}
