"""Warnings about directories and clocks."""

from datetime import timedelta
from pathlib import Path, PurePosixPath, PureWindowsPath

import apsw
import pytest

from memory_core.places import clock_warning, is_unc, network_kind, synced_name, warnings_for
from memory_core.store.schema import migrate
from tests.store.filled import LATER, add_page

MOUNTS = [
    (Path("/"), "ext4"),
    (Path("/mnt/c"), "9p"),
    (Path("/home"), "nfs4"),
    (Path("/home/you/local"), "ext4"),
    (Path("/media/stick"), "vfat"),
    (Path("/share"), "ext4"),
    (Path("/share"), "cifs"),
    (Path("/remote"), "fuse.sshfs"),
]


@pytest.mark.parametrize(
    ("directory", "kind"),
    [
        ("/var/lib/memstrata", ""),
        ("/mnt/c/Users/you", "9p"),
        ("/mnt/cc", ""),
        ("/home/you/.local/share/memstrata", "nfs4"),
        ("/home/you/local/memstrata", ""),
        ("/media/stick/memory", ""),
        ("/share", "cifs"),
        ("/remote/x", "fuse.sshfs"),
    ],
)
def test_the_mount_that_is_nearest_counts(directory: str, kind: str) -> None:
    assert network_kind(Path(directory), MOUNTS) == kind


@pytest.mark.parametrize(
    ("path", "named"),
    [
        (r"\\server\share\memory", True),
        ("//server/share", True),
        (r"\\?\UNC\server\share", True),
        (r"\\?\C:\Users\you", False),
        (r"C:\Users\you", False),
        ("/home/you", False),
    ],
)
def test_a_windows_path_that_names_another_machine_is_known(path: str, named: bool) -> None:
    assert is_unc(path) is named


@pytest.mark.parametrize(
    ("path", "service"),
    [
        (PureWindowsPath(r"C:\Users\you\OneDrive\memory"), "OneDrive"),
        (PureWindowsPath(r"C:\Users\you\OneDrive - Some Company\memory"), "OneDrive"),
        (PureWindowsPath(r"G:\My Drive\memory"), "Google Drive"),
        (PurePosixPath("/Users/you/Library/Mobile Documents/com~apple/memory"), "iCloud Drive"),
        (PurePosixPath("/Users/you/Library/CloudStorage/GoogleDrive-me@x.org/m"), "Google Drive"),
        (PurePosixPath("/home/you/Dropbox (Personal)/memory"), "Dropbox"),
        (PurePosixPath("/home/you/nextcloud/memory"), "Nextcloud"),
        (PurePosixPath("/home/you/dropboxes/memory"), ""),
        (PurePosixPath("/srv/语/.local/share/memstrata"), ""),
    ],
)
def test_directories_of_programs_that_sync_are_known_by_name(
    path: PurePosixPath | PureWindowsPath, service: str
) -> None:
    assert synced_name(path) == service


def test_a_warning_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "folder" / ".stfolder").mkdir(parents=True)
    (warning,) = warnings_for(tmp_path / "folder" / "deep" / "not there yet")
    assert "Syncthing" in warning and "data_storage_path" in warning
    (warning,) = warnings_for(tmp_path / "Dropbox" / "memory")
    assert "Dropbox" in warning


def test_a_plain_directory_is_no_cause_for_one(tmp_path: Path) -> None:
    assert warnings_for(tmp_path) == ()


def test_a_clock_that_was_set_back_is_noticed() -> None:
    connection = apsw.Connection(":memory:")
    migrate(connection)
    assert clock_warning(connection, LATER) == ""
    add_page(connection, now=LATER)
    assert clock_warning(connection, LATER - timedelta(seconds=50)) == ""
    assert "date and time" in clock_warning(connection, LATER - timedelta(minutes=2))
    # The next turn, stored in the past, does not hide it.
    add_page(connection, now=LATER - timedelta(days=1))
    assert "date and time" in clock_warning(connection, LATER - timedelta(days=1))
