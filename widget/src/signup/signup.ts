import type { SubscribeResponse } from "../../../shared/contract.ts";
import { browserClock } from "../host/clock.ts";
import type { Context } from "../host/context.ts";
import { emit } from "./events.ts";
import type { FormValues } from "./fields.ts";
import type { Placement } from "./placement.ts";
import { sendSignup } from "./send.ts";
import { createTokenKeeper, type TokenKeeper } from "./token.ts";

/** Sends the signups of one form. */
export interface Signup extends TokenKeeper {
  /**
   * Sends a signup and dispatches its events.
   *
   * @param onStart is called after the page had its chance to cancel, before any waiting
   * @returns undefined if another signup is being sent, or if the page canceled this one
   */
  submit(values: FormValues, onStart?: () => void): Promise<SubscribeResponse | undefined>;
}

/**
 * Creates the signup of a form.
 *
 * @param target the node that dispatches the events
 * @param getPlacement returns the form's current configuration, which the page may change
 */
export function createSignup(
  target: Node,
  { fetchJson, load, token }: Context,
  getPlacement: () => Placement,
): Signup {
  const keeper = createTokenKeeper(
    // An empty name keeps it out of the form view count.
    (again) => token({ ...getPlacement(), ...again && { form: "" } }),
    browserClock,
  );
  let busy = false;

  return {
    ...keeper,
    async submit(values, onStart) {
      const placement = getPlacement();
      const { form, source, cfg, attribution } = placement;
      if (busy || !emit(target, "beforesubmit", placement)) return;
      busy = true;
      onStart?.();
      emit(target, "submit", placement);
      const response = await sendSignup(fetchJson, placement, async () => ({
        source,
        ...values,
        form,
        cfbe_cfg: cfg,
        // A signup without its page is better than none.
        page: attribution && await load("page").then((part) => part.start()).catch(() => undefined),
        cfbe_token: await keeper.get(),
      }));
      busy = false;
      const { success, code, fields = {} } = response;
      // The form may have been removed meanwhile, for example by closing the popup. The page still needs the event.
      if (success) emit(target.isConnected ? target : document, "success", placement, { code });
      else emit(target, "error", placement, { code, fields: Object.keys(fields) });
      return response;
    },
  };
}
