// Sends the token of a link to the server in a form. It is in the fragment of the URL, which browsers send to no server.
// A form that is submitted while the page loads replaces the page in the browser's history, and so the token.

const form = document.querySelector("[data-link]");
const token = location.hash.slice(1);
if (form && token) {
  form.elements.link.value = token;
  form.submit();
}
