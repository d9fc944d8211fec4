"""Pages that we make, in headless Chromium."""
