"""The benchmarks of codecs, without their times."""
