"""The resolved model for other programs: as JSON with a schema, and in the form of rabbitmq-codegen."""
