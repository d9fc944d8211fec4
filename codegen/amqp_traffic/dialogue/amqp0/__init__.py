"""The state of a 0-x channel: requests, consumers, delivery tags, confirms."""
