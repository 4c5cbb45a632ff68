"""Which kind of place a directory is, told by mounts and names."""

from __future__ import annotations

from pathlib import Path

import pytest

from model_queue.file_systems import (
    existing_part,
    is_network,
    read_mounts,
    synced_by,
    type_of,
)

MOUNTS = r"""
overlay / overlay rw,relatime 0 0
/dev/sda1 /home ext4 rw 0 0
nas:/export/ann /home/ann/nas nfs4 rw,vers=4.2 0 0
ann@box: /home/ann/box\040one fuse.sshfs rw 0 0
//nas/share /mnt/share cifs rw 0 0
C:\134 /mnt/c 9p rw 0 0
/dev/sdb1 /mnt/usb fuseblk rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind", "is_remote"),
    [
        ("/home/ann/.openclaw", "ext4", False),
        ("/home/ann/nas/q", "nfs4", True),
        ("/home/ann/nas", "nfs4", True),
        ("/home/ann/nas-notes/q", "ext4", False),
        ("/home/ann/box one/q", "fuse.sshfs", True),
        ("/mnt/share/q", "cifs", True),
        ("/mnt/c/Users/ann/q", "9p", True),
        ("/mnt/usb/q", "fuseblk", False),
        ("/var/q", "overlay", False),
    ],
)
def test_file_system_is_that_of_the_nearest_mount(
    path: str, kind: str, is_remote: bool
) -> None:
    assert type_of(path, MOUNTS) == kind
    assert is_network(kind) is is_remote


def test_later_mount_on_one_place_covers_the_earlier() -> None:
    assert type_of("/q", "a /q ext4 rw 0 0\nb /q nfs rw 0 0\n") == "nfs"


def test_without_a_table_nothing_is_known() -> None:
    assert type_of("/home/ann", "") == ""
    assert not is_network("")


def test_this_machines_table_is_read() -> None:
    mounts = read_mounts()

    assert mounts == "" or type_of("/", mounts)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/home/ann/Dropbox/q", "Dropbox"),
        ("/Users/ann/Dropbox (Work)/q", "Dropbox (Work)"),
        ("/Users/ann/OneDrive - Acme/q", "OneDrive - Acme"),
        (
            "/Users/ann/Library/Mobile Documents/com~apple~CloudDocs/q",
            "Mobile Documents",
        ),
        ("/Users/ann/Library/CloudStorage/GoogleDrive-a@x/q", "GoogleDrive-a@x"),
        ("/Users/ann/Library/CloudStorage/Box-Box/q", "Box-Box"),
        ("/mnt/c/Users/ann/My Drive/q", "My Drive"),
        ("/home/ann/Nextcloud/q", "Nextcloud"),
        ("/home/ann/.openclaw/model-queues", ""),
        ("/home/ann/box/q", ""),
        ("/home/ann/library/q", ""),
    ],
)
def test_synced_folder_is_known_by_its_name(path: str, name: str) -> None:
    assert synced_by(path) == name


def test_part_that_is_there_is_found_through_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")

    found = existing_part(str(tmp_path / "link" / "not" / "yet"))

    assert found == str((tmp_path / "real").resolve())
