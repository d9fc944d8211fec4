"""From the files that a user names to a lake: ``inputs`` says which captures they are, an engine reads each.

``local`` is the engine without Spark. What all engines share is in ``table_pipeline``: frames to tables.
"""
