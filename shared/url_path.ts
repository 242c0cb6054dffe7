/** Matches paths of pages by their segments. No regular expression of a user is involved, so no match can take long. */

/** Decodes a path or a part of it, in lowercase. A path with invalid percent-encoding stays as it is. */
export function decodedPath(path: string): string {
  try {
    path = decodeURIComponent(path);
  } catch {
    // Use a path with invalid percent-encoding as it is.
  }
  return path.toLowerCase();
}

/**
 * Returns a path's segments, decoded, in lowercase and without file extensions: `cart.php` is a cart as well. `v1.5` has
 * no extension.
 */
export function segmentsOf(path: string): string[] {
  return decodedPath(path).split("/").filter(Boolean).map((segment) =>
    segment.replace(/(.)\.[a-z]\w*$/, "$1")
  );
}

/** Returns whether a path starts with the segments of a pattern. `*` matches any one segment. */
export function startsWithSegments(segments: string[], pattern: string[]): boolean {
  return pattern.every((part, i) => segments[i] && (part === "*" || part === segments[i]));
}
