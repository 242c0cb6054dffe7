// A minimal router: each path has a view that replaces the previous one.
const VIEWS = {
  "/": "<h1>Chairs</h1><p>Four legs each.</p>",
  "/club": `<h1>Club</h1>
    <cfbe-form form="footer"><a href="https://news.example/form/footer">Subscribe</a></cfbe-form>`,
  "/cart": "<h1>Cart</h1><p>Two chairs.</p>",
};

function render() {
  document.querySelector("main").innerHTML = VIEWS[location.pathname] ?? VIEWS["/"];
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("nav a");
  if (!link) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  render();
});
addEventListener("popstate", render);
render();
