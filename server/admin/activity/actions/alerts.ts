import { z } from "zod";
import { testNotification } from "../../../operations/alerts/notification.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { Refusal } from "../../frame/refusal.ts";

/** The action that shows the operator whether alerts arrive, before there is one. */
export const alertActions: Action[] = [
  defineAction({
    name: "cfbe_send_test_alert",
    title: "Send test alert",
    group: "service",
    capability: "operate",
    input: z.object({}),
    async run({ app: { hooks, clock, config } }) {
      if (!hooks.has("cfbe_alert")) {
        throw new Refusal(409, "no_alert_hook", "Add cfbe_alert to the config file and restart cfbe first.");
      }
      const event = testNotification({ baseUrl: config.baseUrl, at: clock.now() });
      if (!await hooks.emit("cfbe_alert", event)) {
        throw new Refusal(
          502,
          "alert_not_sent",
          "The test alert failed: cfbe_alert threw an error or took longer than 10 seconds. Search the log for hook.failed and hook.timed_out.",
        );
      }
      return { message: "Test alert sent: cfbe_alert has ended without an error." };
    },
  }),
];
