/** Makes a rename in a folder durable, on systems where a folder can be opened. Never rejects. */
export async function syncFolder(folder: string): Promise<void> {
  const opened = await Deno.open(folder).catch(() => undefined);
  await opened?.sync().catch(() => {});
  opened?.close();
}
