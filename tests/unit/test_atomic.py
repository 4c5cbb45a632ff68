"""Files whole or not at all, lines whole or not at all, and a lock."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from model_queue.atomic import (
    append_line,
    explained,
    locked,
    make_directory,
    read_file,
    read_lines,
    remove_file,
    write_atomic,
)
from model_queue.errors import StoreBusy, StoreError


def modes(path: Path) -> int:
    return path.stat().st_mode & 0o777


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_write_replaces_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_atomic(str(path), b"long before")

    write_atomic(str(path), b"new")

    assert path.read_bytes() == b"new"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_write_makes_the_file_private(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    path.chmod(0o644)

    write_atomic(str(path), b"new")

    assert modes(path) == 0o600


def test_write_keeps_the_permissions_of_a_file_that_is_not_ours(
    tmp_path: Path,
) -> None:
    path = tmp_path / "HEARTBEAT.md"
    path.write_bytes(b"old")
    path.chmod(0o664)

    write_atomic(str(path), b"new", keep_mode=True)

    assert (modes(path), path.read_bytes()) == (0o664, b"new")


def test_write_through_a_link_replaces_what_it_names(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)

    write_atomic(str(link), b"new")

    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_write_on_a_full_disk_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full_disk)

    with pytest.raises(StoreError, match="the disk is full"):
        write_atomic(str(path), b"new")

    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_write_into_a_missing_directory_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used: No such file or directory"):
        write_atomic(str(tmp_path / "gone" / "a.json"), b"new")


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "/q/a could not be written: the disk is full"),
        (errno.EDQUOT, "/q/a could not be written: the disk quota is used up"),
        (errno.EROFS, "/q/a could not be written: the disk is read-only"),
        (errno.EACCES, "/q/a cannot be used: permission is missing"),
        (errno.ENOTDIR, "a part of the path is a file, not a directory"),
        (errno.ENOLCK, "this file system has no locks"),
        (errno.EIO, "/q/a cannot be used: Input/output error"),
    ],
)
def test_errors_of_the_system_become_one_sentence(number: int, sentence: str) -> None:
    with pytest.raises(StoreError) as caught, explained("/q/a"):
        raise OSError(number, os.strerror(number))

    assert sentence in str(caught.value)
    assert isinstance(caught.value.__cause__, OSError)


def test_make_directory_makes_missing_parents_private(tmp_path: Path) -> None:
    make_directory(str(tmp_path / "a" / "b"))
    make_directory(str(tmp_path / "a" / "b"))

    assert modes(tmp_path / "a") == modes(tmp_path / "a" / "b") == 0o700


def test_make_directory_leaves_the_permissions_of_one_that_exists(
    tmp_path: Path,
) -> None:
    tmp_path.chmod(0o755)

    make_directory(str(tmp_path))

    assert modes(tmp_path) == 0o755


def test_make_directory_names_a_file_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")

    with pytest.raises(StoreError, match="not a directory"):
        make_directory(str(tmp_path / "a" / "b"))


def test_read_of_a_missing_file_is_none(tmp_path: Path) -> None:
    assert read_file(str(tmp_path / "gone")) is None


def test_remove_of_a_missing_file_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"")

    remove_file(str(path))
    remove_file(str(path))

    assert not path.exists()


def test_append_adds_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"

    append_line(str(path), b"one")
    append_line(str(path), b"two")

    assert path.read_bytes() == b"one\ntwo\n"
    assert modes(path) == 0o600


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"one\ntw", b"one\nnew\n", id="after a whole line"),
        pytest.param(b"on", b"new\n", id="nothing else"),
        pytest.param(b"one\n", b"one\nnew\n", id="not torn"),
        pytest.param(b"a\n" + b"x" * 10_000, b"a\nnew\n", id="longer than a block"),
    ],
)
def test_append_cuts_an_unterminated_line_off(
    tmp_path: Path, before: bytes, after: bytes
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(before)

    append_line(str(path), b"new")

    assert path.read_bytes() == after


def test_append_on_a_full_disk_leaves_no_part_of_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n")
    monkeypatch.setattr(os, "fsync", full_disk)

    with pytest.raises(StoreError, match="the disk is full"):
        append_line(str(path), b"two")

    assert path.read_bytes() == b"one\n"


def test_read_lines_drops_an_unterminated_one(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\ntwo\nthr")

    assert read_lines(str(path)) == [b"one", b"two"]
    assert read_lines(str(tmp_path / "gone")) == []


def test_lock_keeps_a_second_writer_out_until_its_limit(tmp_path: Path) -> None:
    path = str(tmp_path / ".state" / "lock")

    with (
        locked(path, timeout_s=1),
        pytest.raises(StoreBusy, match=r"locked by others for 0\.01 s"),
        locked(path, timeout_s=0.01),
    ):
        pass


def test_lock_is_free_again_after_its_block(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")

    for _ in range(2):
        with locked(path, timeout_s=0):
            pass


def test_lock_is_shared_by_readers_and_not_with_a_writer(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")

    with (
        locked(path, timeout_s=0, shared=True),
        locked(path, timeout_s=0, shared=True),
        pytest.raises(StoreBusy),
        locked(path, timeout_s=0),
    ):
        pass


def test_lock_on_a_file_that_was_removed_keeps_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(str(path), timeout_s=0):
        path.unlink()

        with (
            locked(str(path), timeout_s=0),
            pytest.raises(StoreBusy),
            locked(str(path), timeout_s=0),
        ):
            pass


def refuse_to_write(
    monkeypatch: pytest.MonkeyPatch, number: int, *, names: tuple[str, ...]
) -> None:
    """Let a directory be one that this user may only look at, root or not."""

    def guarded(real: Callable[..., int]) -> Callable[..., int]:
        def call(path: str, *args: int) -> int:
            if real is not os_open or (args and args[0] & (os.O_CREAT | os.O_RDWR)):
                raise OSError(number, os.strerror(number), path)
            return real(path, *args)

        return call

    os_open = os.open
    for name in names:
        monkeypatch.setattr(os, name, guarded(getattr(os, name)))


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_reader_needs_no_lock_where_none_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    refuse_to_write(monkeypatch, number, names=("open", "mkdir"))

    with locked(str(tmp_path / ".state" / "lock"), timeout_s=0, shared=True):
        pass

    with (
        pytest.raises(StoreError),
        locked(str(tmp_path / ".state" / "lock"), timeout_s=0),
    ):
        pass


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_reader_of_what_it_cannot_write_still_waits_for_a_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path = str(tmp_path / "lock")

    with locked(path, timeout_s=0):
        refuse_to_write(monkeypatch, number, names=("open",))
        with pytest.raises(StoreBusy), locked(path, timeout_s=0, shared=True):
            pass
