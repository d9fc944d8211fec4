"""Pictures of octets and states, as SVG that is part of a page: it takes its colours from ``page/page.css``."""
