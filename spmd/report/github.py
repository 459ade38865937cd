"""GitHub's workflow commands: an annotation for each alert, at its line.

The place and the title are properties, in which `:` and `,` are escaped besides; whatever the source holds stays one line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from spmd.records.alerts import Alert, alerts
from spmd.records.paths import relative
from spmd.records.results import Results
from spmd.report.words import told_place

COMMAND = {"error": "error", "warning": "warning", "note": "notice"}


def github(results: Results) -> str:
    """A line an alert, the summary as a notice."""
    lines = [_line(alert) for record in results.records for alert in alerts(record)]
    lines += [_command("warning", item["message"], item, "spmd idle-allow") for item in results.idle]
    lines += [_command("notice", f"no longer found: {item['rule']} in {item['kernel']}: {item['message']}", item, "spmd fixed")
              for item in results.fixed]
    return "\n".join([*lines, _command("notice", results.about or results.counted(), {}, "spmd")]) + "\n"


def _line(alert: Alert) -> str:
    command = "notice" if alert.is_accepted else COMMAND[alert.level]
    place = alert.places[0] if alert.places else {"file": alert.file}
    return _command(command, "\n".join(_said(alert)), place, f"spmd {alert.rule}{f': {alert.kernel}' if alert.kernel else ''}")


def _said(alert: Alert) -> Iterator[str]:
    yield alert.message
    yield from (told_place(place) for place in alert.places if "access" in place)
    if alert.mark:
        yield alert.mark


def _command(command: str, message: str, place: dict[str, Any], title: str) -> str:
    file = relative(place.get("file") or "")
    at = {} if file.startswith("<") else {"file": file, "line": place.get("line"), "col": place.get("column")}
    given = {**at, "title": title}
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in given.items() if value)
    return f"::{command} {properties}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
