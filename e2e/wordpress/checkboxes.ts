/** What the tests of the newsletter checkboxes share. */
import { API_TOKEN } from "../program.ts";
import type { Site } from "./site.ts";

export const TEXT = "Send me <b>news</b> by email";

/** Gives the plugin the API token, as an operator does in wp-config.php. */
export async function setApiToken(site: Site): Promise<void> {
  const file = `${site.folder}/wp-content/mu-plugins/api_token.php`;
  await Deno.writeTextFile(file, `<?php define( 'CFBE_API_TOKEN', '${API_TOKEN}' );`);
}

/** Runs WordPress's cron, which is off in tests, until the signups that are due were sent. */
export async function runCron(site: Site): Promise<void> {
  const response = await fetch(`${site.url}/wp-cron.php?doing_wp_cron`);
  await response.body?.cancel();
}

/** Returns how many signups wait in WordPress. */
export const waitingSignups = (site: Site): Promise<number> =>
  site.php<number>("return count( cfbe_waiting_signups() );");
