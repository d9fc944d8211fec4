"""Pictures of octets and states, as SVG inside a page: the colours come from ``page/page.css``."""
