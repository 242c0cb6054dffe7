/**
 * The widget on every kind of page that it must support: in a real browser, on another site than the server's, with
 * the real server. Each kind is a folder with a page as a site would have it. Pages from real caches are in
 * `e2e/hosts`.
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
