import { type ServeOptions, serveSandbox } from "../../../sandbox/testing/serve.ts";
import type { Services } from "../../../program/services.ts";
import { startProgram } from "../../../../dev/testing/program.ts";
import { diagnose } from "../doctor.ts";

/** Returns the IDs of the doctor's findings. */
export async function ids(services: Services): Promise<string[]> {
  return (await diagnose(services, { fetch })).findings.map(({ id }) => id);
}

/** Starts a program with nothing wrong: its provider is a sandbox on another port, and its webhook is registered there. */
export async function healthy(options: ServeOptions = {}, env: Record<string, string> = {}) {
  const served = await serveSandbox(options);
  const { project, apiKey, list } = served.provisioned;
  const program = await startProgram({
    run: false,
    env: {
      CFBE_PROVIDER: "bluefox",
      CFBE_PROVIDER_URL: served.sandbox.apiUrl,
      CFBE_PROVIDER_PROJECT: project,
      CFBE_PROVIDER_API_KEY: apiKey,
      ...env,
    },
  });
  await program.services.settings.save("general", { defaultList: list });
  await program.services.provider.setWebhook({ url: `${program.api}/provider-hook`, secretKey: apiKey });
  return {
    served,
    program,
    services: program.services,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
    },
  };
}
