/**
 * Returns why a fetch failed, without the URL. The runtime's own message does not name the reason; its cause does, but
 * begins with the whole URL.
 */
export function networkMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error.cause instanceof Error ? error.cause : error;
  return message.replace(/^error sending request[^]*?\): (client error \(\w+\): )?/, "");
}
