"""A session on a Spark cluster, and what lies at a Hadoop path; whatever goes wrong there is told in one line."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from graph.errors import GraphError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

INSTALL_PYSPARK = "pip install 'kgqa[cluster]'"
CONNECT_TIMEOUT_S = 10.0
"""How long a master may take to answer."""

_SPARK_OPTIONS = {
    "spark.log.level": "OFF",
    "spark.ui.showConsoleProgress": "false",
    "spark.executorEnv.OPENBLAS_NUM_THREADS": "1",
    "spark.executorEnv.OMP_NUM_THREADS": "1",
    "spark.hadoop.mapreduce.input.fileinputformat.input.dir.recursive": "true",
}


class SparkUnusable(GraphError):
    """Spark is not installed, does not start, or a job on it failed."""


@contextmanager
def spark_session(master: str) -> Iterator[SparkSession]:
    """Give a session on a cluster, in which each task has one thread for arithmetic; raises `SparkUnusable`."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise SparkUnusable("pyspark is not installed", INSTALL_PYSPARK) from None
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=str(Path(home, "bin")) if home else None) is None:
        raise SparkUnusable("Spark needs Java, and there is none", "apt-get install openjdk-17-jre-headless")
    _check_master(master)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("kgqa mine").master(master)
    for name, value in _SPARK_OPTIONS.items():
        builder = builder.config(name, value)
    if master.startswith("local"):
        builder = builder.config("spark.ui.enabled", "false").config("spark.driver.host", "localhost")
    with spark_errors(f"Spark did not start on '{master}'"), _silenced_stderr():
        spark = builder.getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def _silenced_stderr() -> Iterator[None]:
    """Let the processes that are started meanwhile write nothing to stderr, where Java tells much before it can be stopped."""
    before = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)
        os.close(nowhere)


@contextmanager
def spark_errors(what: str) -> Iterator[None]:
    """Raise `SparkUnusable` with `what` went wrong and the first line of why, for whatever Spark or Java raise."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JError, PySparkException, ValueError, RuntimeError) as error:
        raise SparkUnusable(f"{what}: {_error_reason(error)}") from error


def hadoop_path_exists(spark: SparkSession, path: str) -> bool:
    """Return whether anything is at a Hadoop path, which may be a pattern."""
    with spark_errors(f"cannot look at '{path}'"):
        place, files = _hadoop_files(spark, path)
        return bool(files.globStatus(place))


def remove_hadoop_path(spark: SparkSession, path: str) -> None:
    """Remove the folder at a Hadoop path with all that is in it, if it is there."""
    with spark_errors(f"cannot remove '{path}'"):
        place, files = _hadoop_files(spark, path)
        files.delete(place, True)


def _hadoop_files(spark: SparkSession, path: str) -> tuple[Any, Any]:
    """Return a path and the file system that it belongs to, as Hadoop has them."""
    context = spark.sparkContext
    place = context._jvm.org.apache.hadoop.fs.Path(path)
    return place, place.getFileSystem(context._jsc.hadoopConfiguration())


def _check_master(master: str) -> None:
    """Raise `SparkUnusable` where no host of a "spark://HOST:PORT,HOST:PORT" address takes a connection."""
    if not master.startswith("spark://"):
        return
    why = ""
    for host in master.removeprefix("spark://").split(","):
        try:
            address = urlsplit(f"//{host}")
            socket.create_connection((address.hostname or "", address.port or 7077), CONNECT_TIMEOUT_S).close()
        except (OSError, ValueError) as error:
            why = str(error)
        else:
            return
    raise SparkUnusable(f"cannot reach the Spark master '{master}': {why}")


def _error_reason(error: Exception) -> str:
    """Return the last cause of what Java raised, or the first line of the message."""
    text = str(getattr(error, "java_exception", "") or error).strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0].rstrip(".") if lines else type(error).__name__
