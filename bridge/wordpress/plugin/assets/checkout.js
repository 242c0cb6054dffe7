/** Sends the cart of a classic checkout to cfbe, and restores the cart that a reminder links to. */
(({ cart: cartUrl, restore: restoreUrl, sends }, $) => {
  async function restore(items) {
    const response = await fetch(restoreUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CFBE-Restore": "1" },
      body: JSON.stringify({ items }),
    });
    if (!response.ok) return;
    const { added } = await response.json();
    // The page was rendered before the items were added.
    if (added > 0) location.reload();
  }

  async function send(cart) {
    try {
      const response = await fetch(cartUrl, { cache: "no-store" });
      if (!response.ok) return;
      await cart.set(await response.json());
      const field = document.querySelector("input[name=cfbe_session]");
      const session = await cart.session();
      if (field && session) field.value = session;
    } catch (error) {
      console.warn("[cfbe] could not send the cart", error);
    }
  }

  (globalThis.cfbe ||= []).push(async ({ cart }) => {
    const restored = await cart.restored();
    if (restored) await restore(restored.items);
    if (!sends) return;
    send(cart);
    // WooCommerce announces updates only through jQuery events.
    $?.(document.body).on("updated_checkout", () => send(cart));
  });
})(globalThis.cfbeCheckout, globalThis.jQuery);
