"""The resolved model for other programs: JSON and its schema, the form of rabbitmq-codegen, class grammars as text, DOT and JSON."""
