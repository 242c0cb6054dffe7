/** Returns the path of a contact. */
export function contactPath(email: string): string {
  return `/contacts/${encodeURIComponent(email)}`;
}

/** Returns an ID as Brevo writes it; undefined if it has another form. */
export function numericId(id: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
}
