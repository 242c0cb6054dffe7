/** The block in the editor: its settings, and a sketch of the form, which only the service can draw. */
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
        { title: __("Where signups go", "cfbe") },
        field(
          props,
          "form",
          __("Form", "cfbe"),
          __("A named form of the service. Empty: the default one.", "cfbe"),
        ),
        field(props, "list", __("List", "cfbe"), __("Replaces the list of the named form.", "cfbe")),
        field(
          props,
          "tags",
          __("Tags", "cfbe"),
          __("Separated by commas. They replace those of the named form.", "cfbe"),
        ),
        field(props, "placement", __("Placement", "cfbe"), __("Becomes the tag placement-NAME.", "cfbe")),
      ),
      el(
        components.PanelBody,
        { title: __("Words and look", "cfbe"), initialOpen: false },
        field(props, "heading", __("Heading", "cfbe")),
        field(props, "text", __("Text", "cfbe")),
        field(props, "button", __("Button", "cfbe")),
        field(props, "success_url", __("Page after a signup", "cfbe")),
        el(components.SelectControl, {
          label: __("Colours", "cfbe"),
          value: props.attributes.theme,
          options: [
            { value: "", label: __("As the visitor’s system", "cfbe") },
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
            __("The form “%s” shows here on the page.", "cfbe"),
            form,
          )
          : __("The default form shows here on the page.", "cfbe"),
      }),
    );
  }

  blocks.registerBlockType("cfbe/form", { edit: Edit, save: () => null });
})(globalThis.wp);
