"""The report on captured traffic. Each section of the page is a module with its data and its query."""
