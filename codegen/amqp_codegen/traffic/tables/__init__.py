"""The tables that captures become: their columns, how rows become Arrow and Parquet, and the folder they are in.

``schemas`` is plain data; everything else here needs pyarrow.
"""
