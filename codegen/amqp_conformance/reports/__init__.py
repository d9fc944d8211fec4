"""What a run finds out, as text, JSON, JUnit XML or an HTML page."""
