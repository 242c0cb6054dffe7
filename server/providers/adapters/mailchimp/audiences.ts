import { z } from "zod";
import type { Trouble } from "../../port/trouble.ts";
import { type MailchimpSend, trouble } from "./http.ts";

const PAGE_SIZE = 500;
/** 5,000 audiences, so that an endless listing ends. */
const PAGES_MAX = 10;

const audience = z.object({ id: z.string().regex(/^[\w-]{1,50}$/), name: z.string() });
type Audience = z.infer<typeof audience>;
const page = z.object({ lists: z.array(z.unknown()), total_items: z.number().int().nonnegative() });

/** Returns all audiences of the account, without those that are invalid. */
export async function audiencesOf(
  send: MailchimpSend,
  signal?: AbortSignal,
): Promise<{ kind: "audiences"; audiences: Audience[] } | Trouble> {
  const audiences = new Map<string, Audience>();
  let offset = 0;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const path = `/lists?fields=lists.id,lists.name,total_items&count=${PAGE_SIZE}&offset=${offset}`;
    const response = await send({ method: "GET", path, signal });
    const found = response.kind === "ok" ? page.safeParse(response.body).data : undefined;
    if (!found) return trouble(response, "reads");
    for (const raw of found.lists) {
      const read = audience.safeParse(raw).data;
      if (read) audiences.set(read.id, read);
    }
    offset += found.lists.length;
    if (found.lists.length === 0 || offset >= found.total_items) break;
  }
  return { kind: "audiences", audiences: [...audiences.values()] };
}
