/** The form plugins whose checkboxes are tested, each with two forms on a page: one with an email field, one without. */

export interface FormPlugin {
  /** ID in the settings. */
  id: string;
  /** Main files below the folder of plugins, in the order of their activation. */
  files: string[];
  /** PHP code that creates both forms and returns the content of a page with them. */
  forms: string;
}

export const FORM_PLUGINS: FormPlugin[] = [
  {
    id: "contact_form_7",
    files: ["contact-form-7/wp-contact-form-7.php"],
    forms: `$create = static function ( $fields ) {
        $form = WPCF7_ContactForm::get_template();
        $form->set_properties( array( 'form' => "$fields\\n\\n[submit \\"Send\\"]" ) );
        $form->save();
        return sprintf( '[contact-form-7 id="%d"]', $form->id() );
      };
      return $create( '<label>Email [email* your-email]</label>' ) . $create( '[text your-name]' );`,
  },
  {
    id: "wpforms",
    files: ["wpforms-lite/wpforms.php"],
    forms: `$create = static function ( $type ) {
        $id = wp_insert_post( array( 'post_type' => 'wpforms', 'post_status' => 'publish', 'post_title' => $type ) );
        $form = array( 'id' => (string) $id, 'field_id' => 2,
          'fields' => array( 1 => array( 'id' => '1', 'type' => $type, 'label' => 'Field' ) ),
          'settings' => array( 'form_title' => $type, 'submit_text' => 'Send', 'ajax_submit' => '1', 'antispam_v3' => '0',
            'confirmations' => array( 1 => array( 'type' => 'message', 'message' => 'Thanks' ) ) ) );
        wp_update_post( array( 'ID' => $id, 'post_content' => wp_slash( wp_json_encode( $form ) ) ) );
        return sprintf( '[wpforms id="%d"]', $id );
      };
      return $create( 'email' ) . $create( 'text' );`,
  },
  {
    id: "gravity_forms",
    files: ["gravityforms/gravityforms.php"],
    forms: `gf_upgrade()->install();
      $create = static function ( $type ) {
        $id = GFAPI::add_form( array( 'title' => $type, 'button' => array( 'type' => 'text', 'text' => 'Send' ),
          'fields' => array( array( 'id' => 1, 'type' => $type, 'label' => 'Field' ) ) ) );
        return sprintf( '[gravityform id="%d"]', $id );
      };
      return $create( 'email' ) . $create( 'text' );`,
  },
  {
    id: "elementor",
    // A free edition of Elementor Pro, with the same code for forms.
    files: ["elementor/elementor.php", "pro-elements/pro-elements.php"],
    forms: `$create = static function ( $type ) {
        $field = array( '_id' => 'aaaaaa1', 'custom_id' => 'answer', 'field_type' => $type, 'field_label' => 'Field' );
        $form = array( 'id' => substr( md5( $type ), 0, 7 ), 'elType' => 'widget', 'widgetType' => 'form', 'elements' => array(),
          'settings' => array( 'form_name' => $type, 'form_fields' => array( $field ), 'submit_actions' => array(), 'button_text' => 'Send' ) );
        $section = array( 'id' => substr( md5( "in $type" ), 0, 7 ), 'elType' => 'container', 'settings' => array(), 'elements' => array( $form ) );
        $id = wp_insert_post( array( 'post_type' => 'elementor_library', 'post_status' => 'publish', 'post_title' => $type ) );
        update_post_meta( $id, '_elementor_edit_mode', 'builder' );
        update_post_meta( $id, '_elementor_template_type', 'container' );
        update_post_meta( $id, '_elementor_data', wp_slash( wp_json_encode( array( $section ) ) ) );
        return sprintf( '[elementor-template id="%d"]', $id );
      };
      return $create( 'email' ) . $create( 'text' );`,
  },
];
