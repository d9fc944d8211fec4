"""Projects that generate when they are built, with each build backend."""
