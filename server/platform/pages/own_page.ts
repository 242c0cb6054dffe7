import { type Context, Hono, type MiddlewareHandler } from "hono";
import { etag } from "hono/etag";
import { secureHeaders } from "hono/secure-headers";
import { serveStatic } from "hono/serve-static";
import { fileURLToPath } from "node:url";
import { brotliFiles } from "../http/compression.ts";
import { withFallbackColors } from "./fallback_colors.ts";
import { withoutComments } from "./without_comments.ts";

/** Path of the folder of the pages' style sheets below the public URL; see `assets`. */
export const PAGE_ASSETS = "/page-assets";
export const PAGE_ASSETS_FOLDER = new URL("./assets/", import.meta.url);

/**
 * Sets the security headers of our own pages: they load only our own resources, and no other site can frame them.
 *
 * @param referrerPolicy "no-referrer" where the URL itself is a secret; elsewhere it would make browsers send
 * `Origin: null` with our own forms
 * @param frames whether the page frames other pages of ours, or which origin besides
 * @param aliases further origins of this service, for pages opened under another name than the public URL
 */
export function ownPage(
  aliases: string[] = [],
  referrerPolicy: "same-origin" | "no-referrer" = "same-origin",
  frames: "none" | ((c: Context) => string | undefined) = "none",
): MiddlewareHandler {
  const own = ["'self'", ...aliases];
  return secureHeaders({
    // Strict-Transport-Security is up to the reverse proxy that terminates TLS.
    strictTransportSecurity: false,
    referrerPolicy,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: own,
      styleSrc: own,
      imgSrc: own,
      connectSrc: own,
      formAction: own,
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      ...(frames !== "none" && { frameSrc: [...own, (c: Context) => frames(c) ?? "'self'"] }),
    },
  });
}

/**
 * Sets the security headers of a page that our own pages frame: it has an origin of its own, without cookies and storage,
 * and its scripts can send nothing.
 *
 * @param aliases further origins of this service, for pages opened under another name than the public URL
 */
export function sandboxedPage(aliases: string[] = []): MiddlewareHandler {
  const own = ["'self'", ...aliases];
  return secureHeaders({
    strictTransportSecurity: false,
    referrerPolicy: "same-origin",
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: own,
      styleSrc: own,
      imgSrc: own,
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: own,
      sandbox: ["allow-scripts", "allow-forms"],
    },
  });
}

/** Lets sandboxed pages, which have another origin, load a file that contains nothing private. */
export const loadableInSandbox: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Cross-Origin-Resource-Policy", "cross-origin");
};

/**
 * Serves the files of folders, without their subfolders, with an ETag and compressed. Of two files with one name the first
 * folder's is served.
 */
export function assets(...folders: URL[]): Hono {
  return new Hono().get(
    "/*",
    brotliFiles(),
    etag(),
    ...folders.map((folder) =>
      serveStatic({
        root: fileURLToPath(folder),
        getContent: readFile,
        rewriteRequestPath: (path) => path.slice(path.lastIndexOf("/")),
        onFound: (_path, c) => c.header("cache-control", "no-cache"),
      })
    ),
  );
}

/** Returns what a browser gets of a script or a style sheet. A script without comments has a quarter of its size. */
const SENT = { js: withoutComments, css: withFallbackColors };

/** Returns a file's content as it is sent, or null if there is none. */
async function readFile(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const content = await Deno.readFile(path);
    const sent = SENT[/\.(js|css)$/.exec(path)?.[1] as keyof typeof SENT];
    return sent ? new TextEncoder().encode(sent(new TextDecoder().decode(content))) : content;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.IsADirectory) return null;
    throw error;
  }
}
