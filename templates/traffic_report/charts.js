// Draws the charts: those of the page when they come near the window, those of a client when it is opened.
const chartData = JSON.parse(element("chart-data").textContent);
const style = {
  axis: { labelColor: "var(--soft)", titleColor: "var(--soft)", gridColor: "var(--line)", domainColor: "var(--line)", tickColor: "var(--line)", titleFontWeight: 400 },
  legend: { labelColor: "var(--text)", titleColor: "var(--soft)" },
  text: { fill: "var(--text)" },
  style: { "guide-label": { fill: "var(--soft)" }, "guide-title": { fill: "var(--soft)" }, text: { fill: "var(--text)" }, cell: { stroke: "transparent" } },
};
const views = new Map();

function vegaReady() {
  return window.vegaEmbed ? Promise.resolve() : new Promise((done) => addEventListener("vega", done, { once: true }));
}

async function draw(place, name, rows) {
  await vegaReady();
  const chart = structuredClone(chartData[name]);
  if (rows) chart.data.find((series) => series.name === "rows").values = rows;
  views.get(place)?.finalize();
  // "ast": expressions are interpreted, so that no text is ever compiled.
  views.set(place, await vegaEmbed(place, chart, { mode: "vega", renderer: "svg", actions: false, ast: true, logLevel: 1, config: style }));
  place.dataset.drawn = "yes";
}

function begin(place) {
  near.unobserve(place);
  if (place.dataset.begun) return;
  place.dataset.begun = "yes";
  draw(place, place.dataset.chart);
}

const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (isIntersecting) begin(target);
  }
}, { rootMargin: "800px" });
const places = [...document.querySelectorAll("[data-chart]")];
for (const place of places) near.observe(place);

// Paper shows all of them.
addEventListener("beforeprint", () => {
  places.forEach(begin);
});
// Soon, also those that nobody has looked at yet.
addEventListener("load", () => setTimeout(() => places.forEach(begin), 1500));
