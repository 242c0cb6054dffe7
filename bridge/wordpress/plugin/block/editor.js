/** The block in the editor: its settings in the sidebar, and the form as visitors will see it. */
(({ blocks, blockEditor, components, element, i18n }) => {
  const { createElement: el } = element;
  const { __ } = i18n;
  const { useSettings, Preview } = globalThis.cfbeEditor;

  const field = ({ attributes, setAttributes }, name, label, help) =>
    el(components.TextControl, {
      key: name,
      label,
      help,
      value: attributes[name],
      onChange: (value) => setAttributes({ [name]: value }),
    });

  const select = ({ attributes, setAttributes }, name, label, options, help) =>
    el(components.SelectControl, {
      key: name,
      label,
      help,
      value: attributes[name],
      options: options.map(([value, label]) => ({ value, label })),
      onChange: (value) => setAttributes({ [name]: value }),
    });

  /**
   * Lets the user choose a form of the server, or type its name while the server can't be reached. `fields` records
   * whether the form has fields, whose code the page then loads early.
   */
  function formControl(props, { settings }) {
    const label = __("Form", "cfbe");
    const { form } = props.attributes;
    if (!settings) {
      return field(
        props,
        "form",
        label,
        __("Name of a form in cfbe. Leave empty for the default form.", "cfbe"),
      );
    }
    const names = Object.keys(settings.forms).filter((name) => settings.forms[name].layout !== "popup");
    if (form && !names.includes(form)) names.push(form);
    const options = [["", __("Default form", "cfbe")], ...names.map((name) => [name, name])];
    const choose = ({ form }) => {
      const { fields = [] } = { ...settings, ...settings.forms[form] };
      props.setAttributes({ form, fields: fields.length > 0 });
    };
    return select(
      { ...props, setAttributes: choose },
      "form",
      label,
      options,
      __("Create more on the Forms page of the cfbe admin.", "cfbe"),
    );
  }

  const layoutControl = (props) =>
    select(props, "layout", __("Layout", "cfbe"), [
      ["block", __("Block", "cfbe")],
      ["inline", __("Inline", "cfbe")],
      ...props.attributes.form ? [["form", __("As set for the form in cfbe", "cfbe")]] : [],
    ]);

  const controls = (props, state) =>
    el(
      blockEditor.InspectorControls,
      {},
      el(
        components.PanelBody,
        { title: __("Signup destination", "cfbe") },
        formControl(props, state),
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
        field(
          props,
          "data",
          __("Hidden fields", "cfbe"),
          __("Values for hidden fields, such as: shop=berlin, topic=tea", "cfbe"),
        ),
      ),
      el(
        components.PanelBody,
        { title: __("Texts and appearance", "cfbe"), initialOpen: false },
        layoutControl(props),
        field(props, "heading", __("Heading", "cfbe")),
        field(props, "text", __("Text", "cfbe")),
        field(props, "button", __("Button", "cfbe")),
        field(props, "success_url", __("Page after signup", "cfbe")),
        select(props, "theme", __("Colors", "cfbe"), [
          ["", __("Match the visitor’s system", "cfbe")],
          ["light", __("Light", "cfbe")],
          ["dark", __("Dark", "cfbe")],
        ]),
      ),
    );

  function Edit(props) {
    const state = useSettings();
    return el(
      "div",
      blockEditor.useBlockProps(),
      controls(props, state),
      el(Preview, { attributes: props.attributes, state }),
    );
  }

  blocks.registerBlockType("cfbe/form", { edit: Edit, save: () => null });
})(globalThis.wp);
