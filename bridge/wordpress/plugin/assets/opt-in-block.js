/** The newsletter checkbox on the checkout block. The order's request carries the answer and the text that was shown. */
(({ data, element }, wc) => {
  const { label, shown } = wc.wcSettings.getSetting("cfbe-opt-in_data");
  const { createElement: el, useEffect, useState } = element;
  const { CheckboxControl = wc.blocksComponents?.CheckboxControl, registerCheckoutBlock } = wc.blocksCheckout;

  function OptIn() {
    const [ticked, setTicked] = useState(false);
    useEffect(() => {
      const store = data.dispatch("wc/store/checkout");
      // WooCommerce before 9.9 has it under another name.
      (store.setExtensionData ?? store.__internalSetExtensionData)("cfbe", { opt_in: ticked, shown });
    }, [ticked]);
    return el(CheckboxControl, { label, checked: ticked, onChange: setTicked });
  }

  registerCheckoutBlock({
    metadata: {
      name: "cfbe/opt-in",
      parent: ["woocommerce/checkout-contact-information-block"],
      // Locked blocks are on every checkout, also on one that was saved before.
      attributes: { lock: { type: "object", default: { remove: true, move: true } } },
    },
    component: OptIn,
  });
})(globalThis.wp, globalThis.wc);
