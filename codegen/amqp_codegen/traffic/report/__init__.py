"""The report on captured traffic, one HTML page: sections queried from a lake, charts, and the page around them.

``queries`` is the way to the lake; ``activity``, ``clients``, ``findings``, ``ledger``, ``measures`` and ``topology`` each
hold the data and queries of sections; ``contents`` gathers them. ``vega``, ``charts`` and ``time_charts`` draw; ``page`` and
``page_data`` make the HTML.
"""
