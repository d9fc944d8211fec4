"""The resolved model for other programs: JSON and its schema, rabbitmq-codegen's JSON, class grammars as text, DOT and JSON."""
