import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";

/** The envelope of every API response, and how requests are read. */

export function ok(c: Context, result: unknown, status: 200 | 201 = 200): Response {
  return c.json({ status, result }, status);
}

export function fail(c: Context, status: ContentfulStatusCode, name: string, message: string): Response {
  return c.json({ status, error: { name, message } }, status);
}

export const notFound = (c: Context, what: string) => fail(c, 404, "NOT_FOUND", `${what} not found`);

/** Responds with 400 and all problems in one message, separated by semicolons, as the provider does. */
export function invalid(c: Context, error: z.ZodError): Response {
  const problems = error.issues.map((issue) =>
    [issue.path.join("."), issue.message].filter(Boolean).join(": ")
  );
  return fail(c, 400, "VALIDATION_ERROR", problems.join("; "));
}

/** Reads the body as JSON. Returns null, which no schema here accepts, if it is not JSON. */
export async function readJson(c: Context): Promise<unknown> {
  try {
    return await c.req.json();
  } catch {
    return null;
  }
}

/**
 * An email address in lower case, with at most 254 characters, checked as liberally as a browser's email
 * field.
 */
export const address = z.string().trim().toLowerCase().max(254).pipe(
  z.email({ pattern: z.regexes.html5Email }),
);
export const personName = z.string().max(200);
export const tagList = z.array(z.string().min(1).max(100)).max(50);

const whole = (unset: number) => z.coerce.number().int().nonnegative().catch(unset);

/** The query of a listing. An invalid parameter counts as missing. */
const paging = z.object({
  limit: whole(10).transform((limit) => Math.min(Math.max(limit, 1), 30)),
  skip: whole(0),
  sort: z.enum(["createdAt", "updatedAt", "email", "name"]).catch("createdAt"),
  order: z.enum(["asc", "desc"]).catch("desc"),
});

/** Reads the query. A repeated parameter counts once. */
export function readPaging(c: Context): z.infer<typeof paging> {
  return paging.parse(c.req.query());
}

/**
 * Responds with one page of a listing: `{items, count, next}`.
 *
 * @param origin scheme and host of the public address: `next` is a full URL
 */
export function page(
  c: Context,
  origin: string,
  items: unknown[],
  count: number,
  { limit, skip }: { limit: number; skip: number },
): Response {
  const url = new URL(c.req.url);
  const next = new URL(url.pathname + url.search, origin);
  next.searchParams.set("limit", `${limit}`);
  next.searchParams.set("skip", `${skip + limit}`);
  return ok(c, { items, count, next: skip + items.length < count ? next.href : null });
}
