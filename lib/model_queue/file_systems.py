"""Which kind of place a directory is: a local disk, the network, a synced folder."""

from __future__ import annotations

import os

_MOUNTS = "/proc/self/mounts"
_NETWORK = (
    "9p",
    "afs",
    "ceph",
    "cifs",
    "davfs",
    "drvfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "glusterfs",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "smb",
)
"""Beginnings of the types whose locks or renames other machines may not see."""
_SYNCED = (
    "dropbox",
    "google drive",
    "googledrive",
    "icloud",
    "mobile documents",
    "my drive",
    "nextcloud",
    "onedrive",
    "owncloud",
    "pcloud",
    "syncthing",
)
"""Beginnings of the names of folders that a program keeps in step with a server."""
_CLOUD_STORAGE = ("library", "cloudstorage")
"""Where macOS keeps all of them."""


def read_mounts() -> str:
    """Return the table of what is mounted where; "" on a system without /proc."""
    try:
        with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def existing_part(path: str) -> str:
    """Return the longest part of a path that is there, links followed."""
    while not os.path.lexists(path) and path != os.path.dirname(path):
        path = os.path.dirname(path)
    return os.path.realpath(path)


def type_of(path: str, mounts: str) -> str:
    r"""Return the type of the file system that holds a path, "" when unknown.

    >>> type_of("/home/ann/q", "x / ext4 rw 0 0\nhost:/h /home nfs4 rw 0 0")
    'nfs4'
    """
    best, found = -1, ""
    for line in mounts.splitlines():
        words = line.split(" ")
        if len(words) < 3:  # noqa: PLR2004 - device, place, type
            continue
        place = _unescaped(words[1])
        inside = os.path.join(place, "")
        # The later of two on one place covers the earlier.
        if (path == place or path.startswith(inside)) and len(place) >= best:
            best, found = len(place), words[2]
    return found


def is_network(kind: str) -> bool:
    """Report whether a type of file system is reached over a network.

    >>> is_network("nfs4"), is_network("ext4")
    (True, False)
    """
    return kind.startswith(_NETWORK)


def synced_by(path: str) -> str:
    """Return the folder's name by which a path is seen to be synced, "" if it is not.

    >>> synced_by("/Users/ann/Dropbox (Work)/q"), synced_by("/home/ann/q")
    ('Dropbox (Work)', '')
    """
    words = path.split(os.sep)
    lower = [word.casefold() for word in words]
    for n, word in enumerate(lower):
        if word.lstrip(".").startswith(_SYNCED):
            return words[n]
        if tuple(lower[n : n + 2]) == _CLOUD_STORAGE and n + 2 < len(words):
            return words[n + 2]
    return ""


def _unescaped(place: str) -> str:
    r"""Return a place with its blanks, which the table writes as ``\040``."""
    for code, char in (("040", " "), ("011", "\t"), ("134", "\\")):
        place = place.replace(f"\\{code}", char)
    return place
