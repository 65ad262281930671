"""A PostgreSQL server for one test run: its own data directory, its own socket, and no network.

The programs are those of an installed PostgreSQL 12 or later (Debian: `apt install postgresql`).
"""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile


def programs():
    """The folder with `initdb` and `postgres`, the newest one; None if there is none."""
    folders = glob.glob("/usr/lib/postgresql/*/bin")
    folders.sort(key=lambda folder: float(folder.split("/")[-2]), reverse=True)
    found = shutil.which("postgres")
    if found:
        # Beside the program itself, where a link to it may be alone.
        folders.append(os.path.dirname(os.path.realpath(found)))
    for folder in folders:
        if all(os.access(f"{folder}/{name}", os.X_OK) for name in ("initdb", "postgres")):
            return folder
    return None


def user():
    """The user that the server runs as: the own one, but not root, which PostgreSQL rejects."""
    if os.geteuid() != 0:
        return pwd.getpwuid(os.geteuid())
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


def can_run():
    return programs() is not None and user() is not None


class Server:
    """A server that runs until `stop`."""

    def __init__(self):
        folder, owner = programs(), user()
        # A path to a socket ends at a comma.
        self.directory = tempfile.mkdtemp(
            prefix="swexpr-postgresql-", dir="/tmp" if "," in tempfile.gettempdir() else None)
        self.process = None
        self.identity = {}
        if os.geteuid() == 0:
            os.chown(self.directory, owner.pw_uid, owner.pw_gid)
            self.identity = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        data = f"{self.directory}/data"
        command = [f"{folder}/initdb", "-D", data, "-U", "test", "-A", "trust", "-N", "-E", "UTF8"]
        # Rules of a language for the order of texts, so that a filter that relies on them is found.
        icu = ["--locale-provider=icu", "--icu-locale=en-US", "--locale=C"]
        try:
            if self.run(command + icu) != 0 and self.run(command + ["--locale=C"]) != 0:
                raise RuntimeError("initdb failed")
            self.start(folder, data)
        except BaseException:
            self.stop()
            raise

    def run(self, command):
        return subprocess.run(
            command, cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            **self.identity,
        ).returncode

    def start(self, folder, data):
        settings = {
            "listen_addresses": "", "unix_socket_directories": self.directory, "fsync": "off",
            "full_page_writes": "off", "synchronous_commit": "off", "autovacuum": "off",
            # Compiling each of many small queries takes longer than running them.
            "jit": "off", "timezone": "UTC",
        }
        command = [f"{folder}/postgres", "-D", data]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with open(f"{self.directory}/log", "wb") as log:
            self.process = subprocess.Popen(
                command, cwd=self.directory, stdout=log, stderr=log, **self.identity)

    def connect(self):
        """A connection, as soon as the server accepts one."""
        import time

        import psycopg

        deadline = time.monotonic() + 60
        while True:
            try:
                return psycopg.connect(
                    host=self.directory, user="test", dbname="postgres", autocommit=True)
            except psycopg.OperationalError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    with open(f"{self.directory}/log") as log:
                        raise RuntimeError("PostgreSQL does not start: " + log.read()[-1000:])
                time.sleep(0.05)

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            # At once: nothing is kept.
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)
