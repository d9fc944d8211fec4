"""The lake: a folder of Parquet tables, the views over them, and the tables of the specifications."""
