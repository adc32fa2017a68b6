"""Results on disk: one line of a CSV for each finished task, written as it finishes, so that runs can go on."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from study.data import BadInput
from study.tasks import Plan, Task

KEY = ["study", "data", "method", "setting", "fold"]
NUMBERS = [
    *("accuracy", "f1", "auc", "support", "local_support", "ratio", "diversity"),
    *("seconds", "tuning_seconds", "candidates"),
]
COLUMNS = [*KEY, *NUMBERS, "chosen", "detail", "stamp"]


class Store:
    """The results of a study, kept in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows: dict[tuple[str, ...], dict[str, str]] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"`{path.parent}` cannot be made a folder ({error.strerror}); give another --out") from error
        if path.exists():
            self._read()

    def begin(self, tasks: Iterable[Task], plan: Plan) -> tuple[list[Task], int]:
        """The tasks without a result, and the number of results dropped because data, code or parameters changed."""
        before = len(self._rows)
        wanted = {task.key: task.stamp(plan) for task in tasks}
        self._rows = {key: row for key, row in self._rows.items() if key not in wanted or wanted[key] == row["stamp"]}
        self._write()
        return [task for task in tasks if task.key not in self._rows], before - len(self._rows)

    def n_missing(self, tasks: Iterable[Task]) -> int:
        """How many tasks have no result."""
        return sum(task.key not in self._rows for task in tasks)

    @property
    def tables(self) -> set[str]:
        """The tables with results."""
        return {row["data"] for row in self._rows.values()}

    def keep(self, tasks: Iterable[Task]) -> None:
        """Drops results that no study needs any more."""
        known = {task.key for task in tasks}
        self._rows = {key: row for key, row in self._rows.items() if key in known}
        self._write()

    def add(self, task: Task, plan: Plan, result: dict[str, Any]) -> None:
        """Writes a result, at once and whole."""
        row = dict(zip(KEY, task.key, strict=True)) | {"stamp": task.stamp(plan)}
        row |= {name: _spelled(value) for name, value in result.items()}
        self._rows[task.key] = row
        with self.path.open("a", newline="", encoding="utf-8") as file:
            file.write(_line(row))
            file.flush()
            os.fsync(file.fileno())

    def frame(self, study: str) -> pd.DataFrame:
        """The results of a study, in a fixed order."""
        rows = [row for row in self._rows.values() if row["study"] == study]
        frame = pd.DataFrame(rows, columns=COLUMNS)
        frame["fold"] = frame["fold"].astype(int)
        for name in NUMBERS:
            frame[name] = pd.to_numeric(frame[name].replace("", None))
        return frame.sort_values(KEY, ignore_index=True)

    def _read(self) -> None:
        text = self.path.read_text(encoding="utf-8")
        # A run that was killed while it wrote may have left half a line.
        whole = text[: text.rfind("\n") + 1]
        reader = csv.DictReader(io.StringIO(whole))
        if whole and reader.fieldnames != COLUMNS:
            raise BadInput(f"`{self.path}` is no table of results of this version; move it away")
        for row in reader:
            self._rows[tuple(row[name] for name in KEY)] = row

    def _write(self) -> None:
        draft = self.path.with_suffix(".tmp")
        ordered = sorted(self._rows.values(), key=lambda row: [row[name] for name in KEY])
        draft.write_text(",".join(COLUMNS) + "\n" + "".join(map(_line, ordered)), encoding="utf-8")
        draft.replace(self.path)


def _line(row: dict[str, str]) -> str:
    out = io.StringIO()
    csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n").writerow(row)
    return out.getvalue()


def _spelled(value: Any) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6g}"
    return str(value)
