"""The command line: one thin module for each command, with its options, output and exit codes."""
