/** Returns the examples shown below a command's help. */
export function example(...lines: string[]): string {
  return `\n${lines.length === 1 ? "Example" : "Examples"}:\n${
    lines.map((line) => `  cfbe ${line}`).join("\n")
  }`;
}
