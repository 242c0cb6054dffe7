/** A fake server over real HTTP: only the routes that the widget uses, with configurable responses. */
import type { FormChallenge, SubscribeRequest, SubscribeResponse } from "../../../shared/contract.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { en } from "../../../shared/texts/en.ts";

const DIST = new URL("../../dist/", import.meta.url);

const SETTINGS: PublicSettings = {
  locale: "en",
  dir: "ltr",
  texts: en.form,
  nameField: "hidden",
  interests: [],
  consent: "off",
  consentText: "",
  cfg: "default.cfg",
  forms: { footer: { layout: "inline", cfg: "footer.cfg" } },
  popup: { cfg: "popup.cfg" },
};

export const PENDING: SubscribeResponse = { success: true, code: "pending", message: en.form.success };

/** A signup request, and the Unix milliseconds at which it arrived. */
export interface ReceivedSignup {
  body: SubscribeRequest;
  headers: Headers;
  at: number;
}

export interface Backend extends AsyncDisposable {
  /** URL of the root, with a path prefix as some hosts use one. */
  base: string;
  /** Response of `cfbe.json`; undefined for an error response. */
  settings: PublicSettings | undefined;
  /** Returns the response of `POST subscribe`. A `Response` simulates a gateway in front of the server. */
  answer: (body: SubscribeRequest) => SubscribeResponse | Response;
  readonly signups: ReceivedSignup[];
  /** Unix milliseconds at which each token was issued. */
  readonly tokens: number[];
  /** The challenge that comes with each token; undefined in calm times. */
  challenge: FormChallenge | undefined;
  /** The configuration in each report of a variant that was seen. */
  readonly seen: string[];
  /** The `form` parameter of each token request. */
  readonly tokenForms: (string | null)[];
  /** The locale of each settings request. */
  readonly locales: string[];
  /** Returns the server's time. Tests set it to the page's time, or the widget would find the tokens suspicious. */
  now: () => number | Promise<number>;
  /** Paths of all requests. */
  readonly requests: string[];
}

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "content-type,x-wp-nonce",
  "access-control-max-age": "7200",
};

const STATUS: Partial<Record<SubscribeResponse["code"], number>> = {
  invalid: 400,
  rate_limited: 429,
  rejected: 503,
};

function json(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: { ...CORS, "cache-control": "no-store" } });
}

async function file(path: string): Promise<Response> {
  try {
    const body = await Deno.readFile(new URL(path, DIST));
    return new Response(body, { headers: { ...CORS, "content-type": "text/javascript" } });
  } catch {
    return new Response("not found", { status: 404, headers: CORS });
  }
}

/**
 * Starts a fake server on a free port.
 *
 * @throws {Error} if the widget has not been built
 */
export function startBackend(settings: Partial<PublicSettings> = {}): Backend {
  try {
    Deno.statSync(new URL("cfbe.js", DIST));
  } catch {
    throw new Error("The widget is not built: run `deno task build`.");
  }
  const handle = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/news/, "");
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: CORS });
    backend.requests.push(path);
    if (path === "/cfbe.json") {
      backend.locales.push(url.searchParams.get("locale") ?? "");
      return backend.settings ? json(backend.settings) : json({}, 500);
    }
    if (path === `${NAMESPACE}/form-token`) {
      backend.tokenForms.push(url.searchParams.get("form"));
      const now = await backend.now();
      backend.tokens.push(now);
      return json({ token: `${now}.signature`, challenge: backend.challenge });
    }
    if (path === `${NAMESPACE}/variant-seen`) {
      backend.seen.push(await request.text());
      return new Response(null, { status: 204, headers: CORS });
    }
    if (path !== `${NAMESPACE}/subscribe`) {
      return await file(path.slice(1).replace(/^renamed\.js/, "cfbe.js"));
    }
    const body: SubscribeRequest = await request.json();
    backend.signups.push({ body, headers: request.headers, at: Date.now() });
    const answer = backend.answer(body);
    return answer instanceof Response ? answer : json(answer, STATUS[answer.code]);
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handle);
  const backend: Backend = {
    base: `http://127.0.0.1:${server.addr.port}/news`,
    settings: { ...SETTINGS, ...settings },
    answer: () => PENDING,
    now: Date.now,
    challenge: undefined,
    signups: [],
    tokens: [],
    seen: [],
    tokenForms: [],
    locales: [],
    requests: [],
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return backend;
}
