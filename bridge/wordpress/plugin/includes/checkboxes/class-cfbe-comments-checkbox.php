<?php
/**
 * The checkbox of WordPress's comment form.
 *
 * @package cfbe
 */

defined( 'ABSPATH' ) || exit;

/** Signs up an author once the comment is approved, so that a comment by a bot mails nobody. */
class Cfbe_Comments_Checkbox extends Cfbe_Checkbox {
	/** What the author agreed to, while the comment awaits approval. */
	const META = '_cfbe_opt_in';

	/** @inheritDoc */
	public static function title() {
		return __( 'Comments', 'cfbe' );
	}

	/** @inheritDoc */
	public static function is_available() {
		return true;
	}

	/** @inheritDoc */
	public function register() {
		$this->change( 'comment_form_submit_field', 'prepend' );
		$this->on( 'comment_post', 'read', 3 );
		$this->on( 'transition_comment_status', 'sign_up_when_approved', 3 );
	}

	/**
	 * Adds the checkbox above the submit button.
	 *
	 * @param string $button HTML of the button.
	 * @return string
	 */
	protected function prepend( $button ) {
		return $this->html() . $button;
	}

	/**
	 * Reads a new comment.
	 *
	 * @param int        $id       ID of the comment.
	 * @param int|string $approved 1, 0 or `spam`.
	 * @param array      $comment  The comment, with slashes, as WordPress passes it.
	 */
	protected function read( $id, $approved, $comment ) {
		if ( 1 === (int) $approved ) {
			$this->sign_up_if_ticked( wp_unslash( $comment['comment_author_email'] ) );
			return;
		}
		$opt_in = $this->opt_in();
		if ( null !== $opt_in && 'spam' !== $approved ) {
			add_comment_meta( $id, self::META, wp_slash( $opt_in ), true );
		}
	}

	/**
	 * Signs up the author of a comment that awaited approval.
	 *
	 * @param string     $status  The new status.
	 * @param string     $before  The previous status.
	 * @param WP_Comment $comment The comment.
	 */
	protected function sign_up_when_approved( $status, $before, $comment ) {
		$opt_in = 'approved' === $status ? get_comment_meta( $comment->comment_ID, self::META, true ) : '';
		if ( is_array( $opt_in ) ) {
			$this->sign_up( $comment->comment_author_email, $opt_in );
			delete_comment_meta( $comment->comment_ID, self::META );
		}
	}
}
