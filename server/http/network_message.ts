/**
 * Why a fetch failed, in the words of the network: the runtime's own message is the same for every reason, and its
 * cause begins with the whole address.
 */
export function networkMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error.cause instanceof Error ? error.cause : error;
  return message.replace(/^error sending request[^]*?\): (client error \(\w+\): )?/, "");
}
