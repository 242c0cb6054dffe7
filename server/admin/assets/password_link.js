// Sends the token of a link to the server in a form. It is in the fragment of the URL, which browsers send to no server.

const form = document.querySelector("[data-link]");
const token = location.hash.slice(1);
if (form && token) {
  history.replaceState(null, "", location.pathname);
  form.elements.link.value = token;
  form.submit();
}
