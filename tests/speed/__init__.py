"""The benchmarks, without their times."""
