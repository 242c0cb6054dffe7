/** The program can't start for a reason that its operator can fix. The message says what is wrong and what to do. */
export class StartError extends Error {
  override name = "StartError";
}
