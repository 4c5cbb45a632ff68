"""Time zones by name, and the machine's own."""

from __future__ import annotations

import datetime as dt


class LocalZone(dt.tzinfo):
    """The machine's zone, with its summer time; no database and no import is needed."""

    def utcoffset(self, moment: dt.datetime | None, /) -> dt.timedelta | None:
        """Return the offset that holds at a local time."""
        if moment is None:
            return None
        return moment.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, moment: dt.datetime | None, /) -> dt.timedelta | None:  # noqa: ARG002 - the interface
        """Return None: the share of summer time in the offset is not told."""
        return None

    def tzname(self, moment: dt.datetime | None, /) -> str | None:
        """Return the abbreviation that holds at a local time."""
        if moment is None:
            return None
        return moment.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, moment: dt.datetime, /) -> dt.datetime:
        """Return the local time of a UTC time that carries this zone."""
        return moment.replace(tzinfo=dt.UTC).astimezone().replace(tzinfo=self)


def zone_named(name: str) -> dt.tzinfo | None:
    """Return the zone of an IANA name or an offset like ``+08:00``; None for others."""
    if name.upper() in {"UTC", "Z", "GMT"}:
        return dt.UTC
    if name[:1] in {"+", "-"}:
        return _offset(name)
    # Imported here: it costs a hook 7 ms, and few calls name a zone.
    import zoneinfo  # noqa: PLC0415

    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _offset(text: str) -> dt.tzinfo | None:
    try:
        return dt.datetime.strptime(text, "%z").tzinfo
    except ValueError:
        return None
