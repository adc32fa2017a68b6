"""The tables of the study: where they come from, what is predicted, how they are split."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold, train_test_split

ROOT = Path(__file__).parents[2]


class BadInput(Exception):
    """An input from the user cannot be used; the message says what to do."""


@dataclass(frozen=True)
class Source:
    """A table: its file, its checksum, what is predicted, and where it comes from."""

    name: str
    file: str
    sha256: str
    target: str
    positive: str
    origin: str
    licence: str


SOURCES = {
    source.name: source
    for source in (
        Source(
            "Adult",
            "adult.csv",
            "392cedcdd130435d173441026e231df257bd4a01c45b4a0a99c97f2e0ef9e557",
            "Income",
            "<=50K",
            "[UCI Adult](https://archive.ics.uci.edu/dataset/2/adult), the training part; `?` kept as a category",
            "CC BY 4.0",
        ),
        Source(
            "Bank",
            "bank.csv",
            "fe6f0a07d5922e83d91277d66ad50d29b62e6d376d2d718f46c04918f9c9450a",
            "subscribe",
            "no",
            "[UCI Bank Marketing](https://archive.ics.uci.edu/dataset/222/bank+marketing), the small file",
            "CC BY 4.0",
        ),
        Source(
            "COMPAS",
            "compas.csv",
            "56bfc84fcafb2da0890ce8132f7ddd793e66d36f4595eb1237e6e54408773b8e",
            "RecidivateWithinTwoYears",
            "yes",
            "[ProPublica's COMPAS analysis](https://github.com/propublica/compas-analysis), two-year recidivism",
            "see the repository",
        ),
        Source(
            "FICO",
            "fico.csv",
            "92491f779b63bfea8e3f356f364e2a9e5b4e6c67356fb95e04210f47a747bf74",
            "RiskPerformance",
            "Bad",
            "FICO's home equity lines of credit (HELOC), of the "
            "[Explainable Machine Learning Challenge](https://community.fico.com/s/explainable-machine-learning-challenge)",
            "FICO's terms of the challenge",
        ),
        Source(
            "Heart",
            "heart.csv",
            "372003e2caa9dffe67f6072873c88f64c503ec6af002e46ccfd070c78feea625",
            "disease",
            "yes",
            "[UCI Heart Disease](https://archive.ics.uci.edu/dataset/45/heart+disease), the file of 1,025 rows",
            "CC BY 4.0",
        ),
    )
}

# The table of the smoke run, which is shipped with lire.
EXAMPLE = Source(
    "Example",
    "heart.csv",
    "",
    "disease",
    "yes",
    "the shipped example",
    "CC BY 4.0",
)


@dataclass(frozen=True)
class Table:
    """A table in memory: raw and one-hot features, and the target with 1 for the positive class."""

    name: str
    features: pd.DataFrame
    encoded: np.ndarray
    labels: np.ndarray
    encoded_names: list[str]


@dataclass(frozen=True)
class Part:
    """Some rows of a table."""

    features: pd.DataFrame
    encoded: np.ndarray
    labels: np.ndarray


def source_of(name: str) -> Source:
    """The table of that name."""
    return EXAMPLE if name == EXAMPLE.name else SOURCES[name]


def path_of(name: str, folder: Path) -> Path:
    """The path of a table; the example is shipped with lire."""
    return ROOT / "examples" / EXAMPLE.file if name == EXAMPLE.name else folder / SOURCES[name].file


def check(names: list[str], folder: Path) -> None:
    """Refuses a folder in which a table is missing or has another checksum."""
    if not folder.is_dir():
        raise BadInput(f"there is no folder `{folder}`; say where the tables are with --data DIR")
    for name in names:
        path = path_of(name, folder)
        if not path.is_file():
            raise BadInput(f"`{path}` is missing; docs/results.md says where to get each table")
        found = checksum(path)
        wanted = source_of(name).sha256
        if wanted and found != wanted:
            raise BadInput(f"`{path}` is not the table that the study is about: its SHA-256 is {found}, not {wanted}")


@lru_cache
def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@lru_cache
def read(name: str, folder: Path) -> Table:
    """Reads a table. Rows stay in the order of the file; only empty cells are missing."""
    source = source_of(name)
    table = pd.read_csv(path_of(name, folder), keep_default_na=False, na_values=[""])
    labels = (table.pop(source.target) == source.positive).to_numpy().astype(int)
    encoded = pd.get_dummies(table, dtype=float)
    # scikit-learn's machines accept no missing values; only the shipped example has any in a number.
    filled = encoded.fillna(encoded.median())
    return Table(name, table, filled.to_numpy(), labels, list(encoded.columns))


def fold(table: Table, at: int, n_folds: int) -> tuple[Part, Part]:
    """The training and the test part of one of the folds, as the paper has them: stratified, not shuffled."""
    train, test = fold_rows(table, at, n_folds)
    return part(table, train), part(table, test)


def fold_rows(table: Table, at: int, n_folds: int) -> tuple[np.ndarray, np.ndarray]:
    """The same as row numbers."""
    return list(StratifiedKFold(n_folds).split(table.encoded, table.labels))[at]


def hold_out(given: Part, seed: int) -> tuple[Part, Part]:
    """Four fifths for training and one fifth for tuning, stratified."""
    rows = np.arange(len(given.labels))
    train, test = train_test_split(rows, test_size=0.2, stratify=given.labels, random_state=seed)
    return part(given, train), part(given, test)


def sampled(given: Part, most: int, seed: int) -> Part:
    """At most this many rows, stratified."""
    if len(given.labels) <= most:
        return given
    rows = np.arange(len(given.labels))
    kept, _ = train_test_split(rows, train_size=most, stratify=given.labels, random_state=seed)
    return part(given, kept)


def part(of: Table | Part, rows: np.ndarray) -> Part:
    """Some of the rows."""
    return Part(of.features.iloc[rows].reset_index(drop=True), of.encoded[rows], of.labels[rows])
