/** Sends the cart and the email address of a checkout to cfbe, and restores the cart that a reminder links to. */
(({ cart: cartUrl, restore: restoreUrl, sends, block }, $, data) => {
  const TYPING_PAUSE_MS = 1_000;

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

  /** Sends the cart, and adds its session to the order that will be placed. */
  async function send(cart, addToOrder) {
    try {
      const response = await fetch(cartUrl, { cache: "no-store" });
      if (!response.ok) return;
      await cart.set(await response.json());
      const session = await cart.session();
      if (session) addToOrder(session);
    } catch (error) {
      console.warn("[cfbe] could not send the cart", error);
    }
  }

  /** The classic checkout: `data-checkout` on cfbe's script reads the address. */
  function watchPage(cart) {
    const update = () =>
      send(cart, (session) => {
        const field = document.querySelector("input[name=cfbe_session]");
        if (field) field.value = session;
      });
    update();
    // WooCommerce announces updates only through jQuery events.
    $?.(document.body).on("updated_checkout", update);
  }

  /** The checkout block: WooCommerce's stores have the cart and the address. */
  function watchStores(cart) {
    const checkout = data.dispatch("wc/store/checkout");
    // WooCommerce before 9.9 has it under another name.
    const setExtensionData = checkout.setExtensionData ?? checkout.__internalSetExtensionData;
    const store = data.select("wc/store/cart");
    let contents, email, timer;
    const sendEmail = () => {
      clearTimeout(timer);
      if (email) cart.email(email);
    };
    const update = () => {
      const { items, totals } = store.getCartData();
      const now = JSON.stringify([items.map(({ key, quantity }) => [key, quantity]), totals.total_price]);
      if (now !== contents && items.length > 0) {
        contents = now;
        send(cart, (session) => setExtensionData("cfbe", { session }));
      }
      const typed = store.getCustomerData().billingAddress.email?.trim();
      if (typed !== email) {
        email = typed;
        clearTimeout(timer);
        timer = setTimeout(sendEmail, TYPING_PAUSE_MS);
      }
    };
    update();
    data.subscribe(update, "wc/store/cart");
    addEventListener("pagehide", sendEmail);
  }

  (globalThis.cfbe ||= []).push(async ({ cart }) => {
    const restored = await cart.restored();
    if (restored) await restore(restored.items);
    if (!sends) return;
    if (block) watchStores(cart);
    else watchPage(cart);
  });
})(globalThis.cfbeCheckout, globalThis.jQuery, globalThis.wp?.data);
