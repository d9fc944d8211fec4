"""The report on captured traffic: one module for each section of the page, with its data and its query."""
