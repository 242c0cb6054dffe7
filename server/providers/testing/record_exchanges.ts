import { join } from "node:path";

/** One request to a test double and its response. */
export interface Exchange {
  method: string;
  /** Path without the query. */
  path: string;
  query: [name: string, value: string][];
  request: Body;
  status: number;
  response: Body;
}

/** A body, and its media type without parameters; both are empty if there is no body. */
interface Body {
  type: string;
  text: string;
}

type Handler = (request: Request) => Response | Promise<Response>;

/** Folder that `deno task test:vendor-specs` sets: each provider gets a file of exchanges in it, one per line as JSON. */
export const EXCHANGES_VARIABLE = "CFBE_TEST_EXCHANGES";

/**
 * Returns the same double, which also records its exchanges if a folder for them is set.
 *
 * @param kind of the provider, as in `providers.ts`
 */
export function recordingExchanges(kind: string, double: Handler): Handler {
  const folder = Deno.env.get(EXCHANGES_VARIABLE);
  if (!folder) return double;
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const sent = await bodyOf(request);
    const response = await double(request);
    const exchange: Exchange = {
      method: request.method,
      path: pathname,
      query: [...searchParams],
      request: sent,
      status: response.status,
      response: await bodyOf(response),
    };
    Deno.writeTextFileSync(join(folder, kind), `${JSON.stringify(exchange)}\n`, { append: true });
    return response;
  };
}

async function bodyOf(message: Request | Response): Promise<Body> {
  // Read first: in Deno 2.9, a clone loses headers of a response that nobody has read yet.
  const [type = ""] = (message.headers.get("content-type") ?? "").split(";");
  const text = await message.clone().text();
  return text === "" ? { type: "", text } : { type: type.trim().toLowerCase(), text };
}
