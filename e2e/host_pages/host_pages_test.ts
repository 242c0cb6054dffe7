/**
 * Every kind of page that the widget has to work on, each a folder with the page as a site would have it: visited in
 * a real browser, from another site than the service's, against the real program. A page served out of a real cache
 * is in `e2e/hosts`.
 */
import "./plain/page.ts";
import "./cross_origin/page.ts";
import "./two_copies/page.ts";
import "./tag_manager/page.ts";
import "./late_script/page.ts";
import "./strict_csp/page.ts";
import "./trusted_types/page.ts";
import "./hostile_css/page.ts";
import "./single_page_app/page.ts";
import "./right_to_left/page.ts";
import "./dark/page.ts";
import "./cookie_bar/page.ts";
import "./host_dialog/page.ts";
import "./inline_form_on_screen/page.ts";
import "./storage_blocked/page.ts";
import "./offline/page.ts";
import "./bfcache/page.ts";
import "./shop_pages/page.ts";
import "./small_screen/page.ts";
import "./no_javascript/page.ts";
