"""Where a memory had better not be, and what a clock that was set back looks like."""

from datetime import datetime, timedelta
from pathlib import Path, PurePath

import apsw
import psutil

from memory_core.store.rows import from_column, select

NETWORK = frozenset(
    "nfs nfs4 cifs smb smb2 smb3 smbfs sshfs fuse.sshfs 9p drvfs afs afpfs fuse.afs ncpfs davfs "
    "webdav fuse.davfs2 davfs2 fuse.rclone fuse.s3fs fuse.gcsfuse glusterfs fuse.glusterfs ceph "
    "fuse.ceph lustre gfs2 ocfs2 beegfs vboxsf fuse.vmhgfs-fuse prl_fs virtiofs".split()
)
"""File systems whose locks and shared memory do not reach all that use them."""

# Parts of paths, in lower case, as the programs name their directories.
SYNCED = {
    "onedrive": "OneDrive",
    "dropbox": "Dropbox",
    "mobile documents": "iCloud Drive",
    "icloud drive": "iCloud Drive",
    "iclouddrive": "iCloud Drive",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "my drive": "Google Drive",
    "nextcloud": "Nextcloud",
    "owncloud": "ownCloud",
    "pcloud drive": "pCloud",
    "megasync": "MEGA",
}
MARKS = {".stfolder": "Syncthing", ".dropbox": "Dropbox", ".sync_journal.db": "Nextcloud"}
CLOCK_TOLERANCE = timedelta(minutes=1)
NEWEST_ROWS = 1_000
ADVICE = "Set data_storage_path to a directory on a disk of this machine."


def warnings_for(directory: Path) -> tuple[str, ...]:
    """Why this directory is no good place for a memory, a sentence or two each.

    It need not exist yet.
    """
    found = []
    if kind := _network_kind(directory):
        found.append(
            f"{directory} is on a network or shared drive ({kind}). Locks are not reliable there: "
            f"two programs can damage the memory. {ADVICE}"
        )
    if service := _synced_by(directory):
        found.append(
            f"{directory} is kept in sync by {service}, which copies files while they are being "
            f"written and can put old or damaged ones in their place. {ADVICE}"
        )
    return tuple(found)


def _network_kind(directory: Path) -> str:
    """The kind of the network file system that a directory is on, or ""."""
    if is_unc(str(directory)):
        return "a network share"
    mounts = [(Path(part.mountpoint), part.fstype) for part in psutil.disk_partitions(all=True)]
    return network_kind(directory, mounts)


def network_kind(directory: Path, mounts: list[tuple[Path, str]]) -> str:
    """The kind of the longest mount above a directory, if that is a network file system."""
    kind = ""
    longest = -1
    for mount, fstype in mounts:
        above = directory == mount or mount in directory.parents
        # Of two mounts at one place, the later one is seen.
        if above and len(mount.parts) >= longest:
            longest, kind = len(mount.parts), fstype.lower()
    return kind if kind in NETWORK else ""


def is_unc(path: str) -> bool:
    r"""Whether a Windows path names another machine, as \\server\share or \\?\UNC\server do."""
    plain = path.replace("/", "\\")
    if not plain.startswith("\\\\"):
        return False
    return not plain.startswith(("\\\\?\\", "\\\\.\\")) or plain[4:8].upper() == "UNC\\"


def _synced_by(directory: Path) -> str:
    """The program that keeps a directory in sync with other machines, or ""."""
    for place in (directory, *directory.parents):
        for mark, service in MARKS.items():
            if (place / mark).exists():
                return service
    return synced_name(directory)


def synced_name(directory: PurePath) -> str:
    """The program whose name is a part of the path: "OneDrive - Company", "Dropbox (Personal)"."""
    for part in directory.parts:
        name = part.casefold()
        for start, service in SYNCED.items():
            if name == start or name.startswith((f"{start} ", f"{start}-", f"{start}(")):
                return service
    return ""


def clock_warning(connection: apsw.Connection, now: datetime) -> str:
    """What to say when the newest memory is from the future; "" when all is well."""
    sql = """
        SELECT max(recorded_at) FROM (SELECT recorded_at FROM memory ORDER BY key DESC LIMIT ?)
    """
    ((newest,),) = select(connection, sql, (NEWEST_ROWS,))
    if newest is None or from_column(newest) <= now + CLOCK_TOLERANCE:
        return ""
    return (
        f"The clock has been set back: the newest memory was stored at {newest[:16]}Z, and it is "
        f"{now:%Y-%m-%dT%H:%M}Z now. Check date and time of this machine; the order of what is "
        "remembered does not suffer, but ages are wrong until then."
    )
