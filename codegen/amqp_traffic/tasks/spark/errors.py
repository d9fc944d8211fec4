"""Errors of Spark in one line. Spark's own texts have the plan, the query and the stack of Java, and seldom the cause."""

from __future__ import annotations

import re
from collections.abc import Iterator

SPARK_STOPPED = (
    "Spark has stopped: its executors did not start, or the cluster ended the application; look at the logs of the"
    ' workers, and at "On a cluster" in docs/traffic.md'
)
# What Spark says, wherever it notices first that its context is gone.
_STOPPED = re.compile(
    r"Spark has stopped|stopped SparkContext|(?:SparkContext|LiveListenerBus|RpcEnv) (?:is|was|has been|already) (?:stopped|shut ?down)|SparkEnv\$?\.get\(\)\" is null"
    r"|removed our application|Application has been killed|Answer from Java side is empty"
)
_NO_FILE_SYSTEM = re.compile(r"Class (\S*?)(\w*FileSystem) not found|No FileSystem for scheme \W?(\w+)")
_NO_ACCESS = re.compile(
    r"NoAuthWithAWSException|NoAwsCredentials|Unable to load (?:AWS )?credentials|AccessDenied|InvalidAccessKeyId"
    r"|SignatureDoesNotMatch|HTTP 40[13]|Status Code: 40[13]"
)
_CONDITION = re.compile(r"\[([A-Z][A-Z0-9_.]+)\]\s+")
_STATE = re.compile(r"\.?\s*SQLSTATE: \w{5}")
_CLASS = re.compile(r"^(?:[\w$]+\.)+[\w$]+(?:Exception|Error): ")


def error_types() -> tuple[type[Exception], ...]:
    """Return the classes of errors that calls of Spark raise: PySpark's, those of its bridge to Java, and of lost Java."""
    from pyspark.errors import PySparkException

    try:
        from py4j.protocol import Py4JError
    except ImportError:  # Spark Connect alone has no bridge
        return PySparkException, ConnectionError
    return PySparkException, Py4JError, ConnectionError


def raise_interrupt(error: BaseException | None) -> None:
    """Raise ``KeyboardInterrupt`` if an interrupt led to an error: after one, calls of the bridge to Java fail."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            raise error from None
        error = error.__context__


def error_text(error: Exception) -> str:
    """Return the texts of an error, of the causes of an error of Java first."""
    return "\n".join(_messages(error))


def known_cause(text: str) -> str | None:
    """Return a line about a cause that users can mend: Spark is gone, or cannot reach a place; None for others."""
    if _STOPPED.search(text):
        return SPARK_STOPPED
    if found := _NO_FILE_SYSTEM.search(text):
        what = found[2] or f"file system for {found[3]}://"
        return (
            f"Spark cannot reach this place: it has no {what}; give it the jar, for example PYSPARK_SUBMIT_ARGS="
            '"--packages org.apache.hadoop:hadoop-aws:VERSION pyspark-shell", see "Object stores" in docs/traffic.md'
        )
    if _NO_ACCESS.search(text):
        return (
            "Spark may not read this place: give it credentials, for example AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
            ' see "Object stores" in docs/traffic.md'
        )
    return None


def one_line(error: Exception) -> tuple[str, str]:
    """Return the most telling line about an error, and Spark's error condition, for example ``PARSE_SYNTAX_ERROR``."""
    text = error_text(error)
    if cause := known_cause(text):
        return cause, ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if match := _CONDITION.search(line):
            return _STATE.sub("", line[match.end() :]).strip().rstrip(";"), match[1]
    return (_CLASS.sub("", lines[0]) if lines else type(error).__name__), ""


def _messages(error: Exception) -> Iterator[str]:
    """Yield the messages of an error, including the causes of a Java error that PySpark has not converted."""
    if isinstance(error, ConnectionError):  # of the bridge to Java
        yield SPARK_STOPPED
    cause = getattr(error, "java_exception", None)
    while cause is not None:
        try:
            yield str(cause.toString())
            cause = cause.getCause()
        except error_types():  # Java is gone
            return
    try:
        yield str(error)
    except error_types():
        yield SPARK_STOPPED
