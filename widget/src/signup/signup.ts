import type { Answer, FieldName } from "../../../shared/contract.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { browserClock } from "../host/clock.ts";
import type { Context } from "../host/context.ts";
import { emit } from "./events.ts";
import type { Filled } from "./fields.ts";
import type { Placement } from "./placement.ts";
import { send } from "./submit.ts";
import { keepToken, type TokenKeeper } from "./token.ts";

/** One form's way to the server. */
export interface Signup extends TokenKeeper {
  /**
   * Signs up, telling the page on the way.
   *
   * @param begun is called once the page has let it pass, and before any waiting
   * @returns nothing when another one is under way, or the page cancelled it
   */
  submit(
    settings: PublicSettings,
    filled: Filled,
    begun?: () => void,
  ): Promise<Answer | undefined>;
}

/**
 * @param target where events are sent from
 * @param place which form it is at this moment: a page may change that
 */
export function createSignup(
  target: Node,
  { ask, token }: Context,
  place: () => Placement,
): Signup {
  const keeper = keepToken(() => token(place()), browserClock);
  let busy = false;

  return {
    ...keeper,
    async submit(settings, filled, begun) {
      const placement = place();
      if (busy || !emit(target, "beforesubmit", placement)) return;
      busy = true;
      begun?.();
      emit(target, "submit", placement);
      const answer = await send(ask, settings, async () => ({
        source: placement.source,
        ...filled,
        cfbe_cfg: placement.cfg,
        cfbe_token: await keeper.take(),
      }));
      busy = false;
      const { success, code, fields = {} } = answer;
      // Also when the form was removed meanwhile, such as by closing the popup: the page still has to hear of it.
      if (success) emit(target.isConnected ? target : document, "success", placement, { code });
      else emit(target, "error", placement, { code, fields: Object.keys(fields) as FieldName[] });
      return answer;
    },
  };
}
