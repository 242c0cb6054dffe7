import type { View } from "../frame/view.ts";

/** Commands, variables and hooks, which only someone with access to the server can use. */
const ON_THE_SERVER = /`|\bCFBE_[A-Z]|\bcfbe_[a-z]|\brun: |config file|\bthe log\b/;
const ASK = "Ask an admin, who reads here what to do.";

/** Returns what a user can do about a problem. Those who do not operate cfbe get pages of the admin, not commands. */
export function adviceFor(
  view: Pick<View, "may">,
  { todo, todoForOthers = todo }: { todo: string; todoForOthers?: string | undefined },
): string {
  if (view.may("operate")) return todo;
  return ON_THE_SERVER.test(todoForOthers) ? ASK : todoForOthers;
}
