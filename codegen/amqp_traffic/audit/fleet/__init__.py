"""The rules about all connections together: conflicting declarations, slow replies, churn, reconnects."""
