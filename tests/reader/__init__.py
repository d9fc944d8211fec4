"""From files to the raw model: XML with positions, schemas, overlays, and the published files."""
