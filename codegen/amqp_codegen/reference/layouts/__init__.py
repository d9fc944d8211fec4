"""Pictures of octets and states, as SVG that is part of a page: it takes its colours from ``page/page.css``."""

from .composite import composite_layout, described_layout
from .content_header import properties_layout
from .encoding import encoding_layout
from .method import method_layout
from .state_diagram import state_diagram

__all__ = [
    "composite_layout",
    "described_layout",
    "encoding_layout",
    "method_layout",
    "properties_layout",
    "state_diagram",
]
