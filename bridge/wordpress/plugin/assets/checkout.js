/** Tells the service what lies in the cart of a classic checkout, and restores the one that a reminder leads back to. */
(({ cart: cartUrl, restore: restoreUrl, tells }, $) => {
  async function restore(items) {
    const response = await fetch(restoreUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CFBE-Restore": "1" },
      body: JSON.stringify({ items }),
    });
    if (!response.ok) return;
    const { added } = await response.json();
    // The cart's page was made before.
    if (added > 0) location.reload();
  }

  async function tell(cart) {
    try {
      const response = await fetch(cartUrl, { cache: "no-store" });
      if (!response.ok) return;
      await cart.set(await response.json());
      const field = document.querySelector("input[name=cfbe_session]");
      const session = await cart.session();
      if (field && session) field.value = session;
    } catch (error) {
      console.warn("[cfbe] the cart could not be told", error);
    }
  }

  (globalThis.cfbe ||= []).push(async ({ cart }) => {
    const restored = await cart.restored();
    if (restored) await restore(restored.items);
    if (!tells) return;
    tell(cart);
    // WooCommerce says so with jQuery's events alone.
    $?.(document.body).on("updated_checkout", () => tell(cart));
  });
})(globalThis.cfbeCheckout, globalThis.jQuery);
