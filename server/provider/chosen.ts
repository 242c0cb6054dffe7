import type { Provider } from "./port.ts";

/**
 * Returns a provider that forwards each call to the one chosen in the settings, so that a change takes effect at once.
 *
 * @param current returns the adapter of the chosen kind
 */
export function chosenProvider(current: () => Provider): Provider {
  return {
    get name() {
      return current().name;
    },
    get capabilities() {
      return current().capabilities;
    },
    subscribe: (...args) => current().subscribe(...args),
    status: (...args) => current().status(...args),
    resend: (...args) => current().resend(...args),
    sendTriggered: (...args) => current().sendTriggered(...args),
    sendTransactional: (...args) => current().sendTransactional(...args),
    contact: (...args) => current().contact(...args),
    saveContact: (...args) => current().saveContact(...args),
    erase: (...args) => current().erase(...args),
    reactivate: (...args) => current().reactivate(...args),
    importConfirmed: (...args) => current().importConfirmed(...args),
    lists: (...args) => current().lists(...args),
    get template() {
      return current().template;
    },
    connection: (...args) => current().connection(...args),
    getWebhook: (...args) => current().getWebhook(...args),
    setWebhook: (...args) => current().setWebhook(...args),
    readWebhook: (...args) => current().readWebhook(...args),
    changed: (...args) => current().changed(...args),
    unconfirmed: (...args) => current().unconfirmed(...args),
  };
}
