"""The native module: converts to and from the library."""

import os
from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Forest",
    "Model",
    "__version__",
    "default_config",
    "encode_objects",
    "encode_texts",
    "fit",
    "grow",
    "moments",
    "reached",
    "shown_sum",
    "splits",
    "text_of_number",
    "texts_of_moments",
]

__version__: str

# A name and numbers; or a name, microseconds, and what these are: "date", "timestamp", "duration" or "time";
# or a name, codes, levels, and what these are: "truth", "text" or "mixed".
# A sparse one has first what most rows share, and last the rows that differ with the number of all rows.
_Rows = tuple[NDArray[np.uint32], int]
_Column = (
    tuple[str, NDArray[np.float64]]
    | tuple[str, NDArray[np.float64], str]
    | tuple[str, NDArray[np.uint32], list[str], str]
    | tuple[str, NDArray[np.float64], _Rows]
    | tuple[str, NDArray[np.uint32], list[str], str, _Rows]
)
# A name, positions of classes and the classes; or a name and numbers.
_Target = tuple[str, NDArray[np.uint32], list[str]] | tuple[str, NDArray[np.float64]]
# Features (-1 for a leaf), thresholds, left and right children, whether missing values and zero go left
# (-1: with its neighbours); and of some nodes a set of levels, and whether it goes left.
_Nodes = tuple[
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.bool_],
    NDArray[np.int8],
    list[tuple[int, list[int], bool]],
]

def default_config() -> str: ...
def encode_texts(
    offsets: NDArray[np.int64],
    bytes: NDArray[np.uint8],
    missing: NDArray[np.bool_] | None = None,
    *,
    n_threads: int = 0,
) -> tuple[NDArray[np.uint32], list[str]]: ...
def moments(name: str, ticks: NDArray[np.int64], per_second: int, kind: str) -> NDArray[np.float64]: ...
def texts_of_moments(values: NDArray[np.float64], kind: str) -> tuple[NDArray[np.uint32], list[str]]: ...
def text_of_number(number: float) -> str: ...
def encode_objects(cells: NDArray[np.object_]) -> tuple[NDArray[np.uint32], list[str]] | None: ...
def shown_sum(parts: Sequence[float], sum: float, decimals: int) -> tuple[list[float], float]: ...
def splits(
    columns: Sequence[_Column],
    target: _Target,
    weights: NDArray[np.float64] | None,
    config: str,
    *,
    groups: _Column | None = None,
    time: _Column | None = None,
    n_threads: int = 0,
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]] | None: ...
def fit(
    columns: Sequence[_Column],
    target: _Target,
    weights: NDArray[np.float64] | None,
    config: str,
    *,
    groups: _Column | None = None,
    time: _Column | None = None,
    splits: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]] | None = None,
    trees: tuple[str, _Nodes, list[_Nodes]] | None = None,
    n_threads: int = 0,
    on_progress: Callable[[str, int, float], Any] | None = None,
) -> tuple[Model, int, str | None, list[str]]: ...
def grow(
    columns: Sequence[_Column],
    target: _Target,
    weights: NDArray[np.float64] | None,
    config: str,
    forest: str,
    *,
    n_threads: int = 0,
    on_progress: Callable[[str, int, float], Any] | None = None,
) -> Forest: ...
def reached(
    columns: Sequence[_Column], nodes: _Nodes, rows: Sequence[_Column], n_rows: int, *, n_threads: int = 0
) -> NDArray[np.uint8]: ...

@final
class Model:
    @classmethod
    def from_json(cls, text: str) -> Model: ...
    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Model: ...
    @property
    def is_edited(self) -> bool: ...
    @property
    def task(self) -> str: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def features(self) -> list[tuple[str, bool]]: ...
    @property
    def rules(self) -> list[str]: ...
    @property
    def weights(self) -> NDArray[np.float64]: ...
    @property
    def intercepts(self) -> NDArray[np.float64]: ...
    @property
    def prices(self) -> tuple[float | None, float | None]: ...
    @property
    def objective(self) -> float: ...
    @property
    def certified(self) -> bool: ...
    def report(self, place: str) -> str: ...
    def to_json(self) -> str: ...
    def config(self) -> tuple[str, list[str]]: ...
    def write(self, path: str | os.PathLike[str]) -> None: ...
    def score(
        self, columns: Sequence[_Column], n_rows: int, *, n_threads: int = 0
    ) -> NDArray[np.float64]: ...
    def decide(
        self, columns: Sequence[_Column], n_rows: int, *, n_threads: int = 0
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...
    def fired(self, columns: Sequence[_Column], n_rows: int, *, n_threads: int = 0) -> NDArray[np.uint8]: ...
    def local_support(
        self, columns: Sequence[_Column], n_rows: int, *, n_threads: int = 0
    ) -> NDArray[np.int64]: ...
    def explain_rows(
        self,
        columns: Sequence[_Column],
        n_rows: int,
        *,
        class_: int | None = None,
        n_threads: int = 0,
    ) -> str: ...
    def explain_global(self) -> str: ...
    def feature_importances(self) -> NDArray[np.float64]: ...

@final
class Forest:
    @classmethod
    def from_json(cls, text: str) -> Forest: ...
    def features(self) -> list[tuple[str, bool]]: ...
    def predict(
        self,
        columns: Sequence[_Column],
        n_rows: int,
        *,
        n_trees: int | None = None,
        n_threads: int = 0,
    ) -> NDArray[np.float64]: ...
