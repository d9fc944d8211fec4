// The theme is the system's unless the reader has chosen one on this page.
"use strict";
function storedTheme() {
  try { return localStorage.getItem("theme"); } catch { return null; }
}
function applyTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
function toggleTheme() {
  const chosen = document.documentElement.dataset.theme;
  const isDark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = isDark ? "light" : "dark";
  applyTheme(theme);
  try { localStorage.setItem("theme", theme); } catch { /* a page opened from a file may not store anything */ }
}
applyTheme(storedTheme());
