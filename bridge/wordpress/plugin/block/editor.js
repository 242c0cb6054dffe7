/** The block in the editor: its settings, and a placeholder, because only the page can render the form. */
(({ blocks, blockEditor, components, element, i18n }) => {
  const { createElement: el } = element;
  const { __ } = i18n;

  const field = ({ attributes, setAttributes }, name, label, help) =>
    el(components.TextControl, {
      key: name,
      label,
      help,
      value: attributes[name],
      onChange: (value) => setAttributes({ [name]: value }),
    });

  const controls = (props) =>
    el(
      blockEditor.InspectorControls,
      {},
      el(
        components.PanelBody,
        { title: __("Signup destination", "cfbe") },
        field(
          props,
          "form",
          __("Form", "cfbe"),
          __("Name of a form in cfbe. Leave empty for the default form.", "cfbe"),
        ),
        field(props, "list", __("List", "cfbe"), __("Overrides the list of the named form.", "cfbe")),
        field(
          props,
          "tags",
          __("Tags", "cfbe"),
          __("Separated by commas. Override the tags of the named form.", "cfbe"),
        ),
        field(
          props,
          "placement",
          __("Placement", "cfbe"),
          __("Adds the tag placement-NAME to signups.", "cfbe"),
        ),
      ),
      el(
        components.PanelBody,
        { title: __("Texts and appearance", "cfbe"), initialOpen: false },
        field(props, "heading", __("Heading", "cfbe")),
        field(props, "text", __("Text", "cfbe")),
        field(props, "button", __("Button", "cfbe")),
        field(props, "success_url", __("Page after signup", "cfbe")),
        el(components.SelectControl, {
          label: __("Colors", "cfbe"),
          value: props.attributes.theme,
          options: [
            { value: "", label: __("Match the visitor’s system", "cfbe") },
            { value: "light", label: __("Light", "cfbe") },
            { value: "dark", label: __("Dark", "cfbe") },
          ],
          onChange: (theme) => props.setAttributes({ theme }),
        }),
      ),
    );

  function Edit(props) {
    const { form, heading } = props.attributes;
    return el(
      "div",
      blockEditor.useBlockProps(),
      controls(props),
      el(components.Placeholder, {
        icon: "email",
        label: heading || __("Newsletter signup", "cfbe"),
        instructions: form
          ? i18n.sprintf(
            /* translators: %s: name of a form */
            __("The form “%s” appears here on the page.", "cfbe"),
            form,
          )
          : __("The default form appears here on the page.", "cfbe"),
      }),
    );
  }

  blocks.registerBlockType("cfbe/form", { edit: Edit, save: () => null });
})(globalThis.wp);
