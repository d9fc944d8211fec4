"""The result of a run as text, JSON, JUnit XML or an HTML page."""
