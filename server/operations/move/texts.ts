import { cfbeCommand } from "../../platform/config/cfbe_command.ts";

/** Returns why a move has stopped, and what to do. */
export function stoppedText(reason: string): string {
  return `The move has stopped. ${
    reason.replace(/\.?$/, ".")
  } Nothing is lost: cfbe goes on with its old database. Run ` +
    `the command again to go on, or cancel the move with \`${cfbeCommand()} database cancel-move\`.`;
}
