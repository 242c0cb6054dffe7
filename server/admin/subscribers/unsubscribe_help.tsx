import type { VNode } from "preact";
import { SANDBOX } from "../../providers/providers.ts";
import { providerTitle } from "../../settings/store/provider.ts";
import { pathPrefix } from "../../platform/config/config.ts";
import type { View } from "../frame/view.ts";

/**
 * Says where to unsubscribe somebody, because cfbe itself only subscribes.
 *
 * @param provider as `general.provider` names it
 */
export function UnsubscribeHelp({ view, provider }: { view: View; provider: string }): VNode {
  const { config, settings } = view.app;
  return (
    <>
      {provider === SANDBOX
        ? (
          <>
            To unsubscribe them, use the link in one of their emails in the{" "}
            <a href={`${pathPrefix(config.baseUrl)}/sandbox`}>sandbox inbox</a>.
          </>
        )
        : <>To unsubscribe them, do it at {providerTitle(provider, settings.providers)}.</>} Then select{" "}
      <em>Check now</em>{" "}
      on their page if the new list status is not shown yet. cfbe keeps the proof of consent.
    </>
  );
}
