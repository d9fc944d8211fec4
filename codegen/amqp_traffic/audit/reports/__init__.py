"""Reports: findings as text, JSON and SARIF, and the list of rules."""
