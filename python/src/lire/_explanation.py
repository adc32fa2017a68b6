"""Explanations as objects: data of the library with a table, a picture and a page.

They also serve ``interpret.show``, which asks for ``explanation_type``, ``name``, ``selector``, ``data`` and
``visualize``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from lire import _native
from lire._page import DECIMALS, Bar, page, plain

if TYPE_CHECKING:
    import pandas as pd

# The maximum number of explanations shown at once.
_SHOWN = 10


class Explanation(ABC):
    """The explanation of a score: plain data from the library."""

    explanation_type: Literal["global", "local"]
    selector = None

    def __init__(self, data: dict[str, Any], name: str = "lire") -> None:
        self._data = data
        self.name = name

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """The terms as dicts."""

    @abstractmethod
    def _bars(self) -> list[Bar]: ...

    @abstractmethod
    def _title(self) -> str: ...

    def _note(self) -> str:
        return ""

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data."""
        return self._data

    def to_frame(self) -> pd.DataFrame:
        """The terms as a pandas frame."""
        from lire._frame import RuleFrame

        return RuleFrame(self.rows(), columns=list(self._columns))

    @property
    def intercept(self) -> float:
        """Where the score starts."""
        return float(self._data["intercept"])

    @property
    def class_(self) -> str | None:
        """The class that positive weights speak for; None if the score is a predicted number."""
        return self._data.get("class")

    def data(self, key: int | None = None) -> dict[str, Any]:
        """The terms in the form of the package interpret."""
        rows = self.rows()
        return {
            "type": "univariate",
            "names": [row["rule"] for row in rows],
            "scores": [row[self._columns[1]] for row in rows],
            "extra": {"names": ["Intercept"], "scores": [self.intercept], "values": [1]},
        }

    def visualize(self, key: int | None = None) -> str:
        """The page for ``interpret.show``."""
        return self._repr_html_()

    def plot(self, ax: Any = None) -> Any:
        """Draw signed bars with matplotlib, and return the axes."""
        import matplotlib.pyplot as plt

        bars = self._bars()[::-1]
        if ax is None:
            _, ax = plt.subplots(figsize=(7, 0.8 + 0.4 * len(bars)), layout="constrained")
        # By position, not by text, so that no two bars share a place.
        ax.barh(range(len(bars)), [bar.value for bar in bars], color=[bar.colour for bar in bars])
        ax.set_yticks(range(len(bars)), [bar.label for bar in bars])
        ax.axvline(0, color="#888", linewidth=0.8)
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(left=False)
        ax.set_title(self._title(), loc="left")
        ax.set_xlabel("contribution to the score")
        return ax

    def _repr_html_(self) -> str:
        return page(self._title(), self._note(), self._bars())

    def __repr__(self) -> str:
        bars = [bar._replace(label=plain(bar.label)) for bar in self._bars()]
        width = max((len(bar.label) for bar in bars), default=0)
        lines = [f"  {bar.text}  {bar.label:<{width}}  {bar.more}".rstrip() for bar in bars]
        return "\n".join([plain(self._title()), *lines])

    _columns: tuple[str, ...]


class GlobalExplanation(Explanation):
    """A global explanation: all terms of a score.

    Examples
    --------
    >>> from lire import LireClassifier
    >>> model = LireClassifier(gamma=0.01, lambda_=0.1).fit([[0.0], [1.0]] * 50, ["no", "yes"] * 50)
    >>> learned = model.explain_global()
    >>> [row["rule"] for row in learned.rows()] == model.rules_
    True
    """

    explanation_type = "global"
    _columns = ("rule", "weight", "coverage", "importance")

    def rows(self) -> list[dict[str, Any]]:
        """The terms as dicts, most important first."""
        rows = [{key: rule[key] for key in self._columns} for rule in self._data["rules"]]
        rows += [
            {
                "rule": linear["feature"],
                "weight": linear["weight"],
                "coverage": 1.0,
                "importance": linear["importance"],
            }
            for linear in self._data.get("linear", [])
        ]
        return sorted(rows, key=lambda row: -row["importance"])

    def _bars(self) -> list[Bar]:
        start = [Bar("always (intercept)", self.intercept, self.intercept)]
        return start + [
            Bar(row["rule"], row["weight"], row["weight"], f"{row['coverage']:.0%} of rows")
            for row in self.rows()
        ]

    def _title(self) -> str:
        n_terms = len(self.rows())
        what = f"{n_terms} {'term' if n_terms == 1 else 'terms'}" if n_terms else "no rules: always the same"
        return what if self.class_ is None else f"{what} for {self.class_}"


class LocalExplanation(Explanation):
    """The explanation of one row's score: the intercept and these terms, and nothing else.

    Examples
    --------
    >>> from lire import LireClassifier
    >>> model = LireClassifier(gamma=0.01, lambda_=0.1).fit([[0.0], [1.0]] * 50, ["no", "yes"] * 50)
    >>> [why] = model.explain_local([[1.0]])
    >>> why.label
    'yes'
    >>> why.score == why.intercept + sum(row["contribution"] for row in why.rows())
    True
    """

    explanation_type = "local"
    _columns = ("rule", "contribution")

    @property
    def score(self) -> float:
        """The intercept plus all contributions."""
        return float(self._data["score"])

    @property
    def probability(self) -> float | None:
        """The probability of the explained class."""
        return self._data.get("probability")

    @property
    def label(self) -> str | None:
        """The predicted class, as a text."""
        return self._data.get("label")

    @property
    def values(self) -> dict[str, Any]:
        """The row's values of the features in the terms."""
        return {value["feature"]: value["value"] for value in self._data["values"]}

    def rows(self) -> list[dict[str, Any]]:
        """The terms as dicts, in the order in which they are summed."""
        rules = [{"rule": rule["rule"], "contribution": rule["contribution"]} for rule in self._data["rules"]]
        linear = [
            {"rule": linear["term"], "contribution": linear["contribution"]}
            for linear in self._data.get("linear", [])
        ]
        return rules + linear

    def data(self, key: int | None = None) -> dict[str, Any]:
        """The terms in the form of the package interpret."""
        predicted = self.score if self.probability is None else self.probability
        return super().data(key) | {"values": [1] * len(self.rows()), "perf": {"predicted_score": predicted}}

    def _bars(self) -> list[Bar]:
        rows = self.rows()
        added = [self.intercept, *(row["contribution"] for row in rows)]
        shown, shown_sum = _native.shown_sum(added, self.score, DECIMALS)
        start = Bar("always (intercept)", self.intercept, shown[0])
        terms = [
            Bar(row["rule"], row["contribution"], part) for row, part in zip(rows, shown[1:], strict=True)
        ]
        total = Bar("score", self.score, shown_sum, "the sum", is_total=True)
        return [start, *sorted(terms, key=lambda bar: -abs(bar.value)), total]

    def _title(self) -> str:
        if self.label is None:
            return f"row {self._data['row']}: {self.score:.6g}"
        total = self._bars()[-1].text
        return (
            f"row {self._data['row']}: {self.label} "
            f"(score {total}, probability of {self.class_} {self.probability:.1%})"
        )

    def _note(self) -> str:
        return " · ".join(
            f"{name} {'is missing' if value is None else value}" for name, value in self.values.items()
        )


E_co = TypeVar("E_co", bound=Explanation, covariant=True)


class Explanations(Sequence[E_co], Generic[E_co]):
    """Explanations of several rows, or of several classes: a sequence of them.

    Examples
    --------
    >>> from lire import LireClassifier
    >>> model = LireClassifier(gamma=0.01, lambda_=0.1).fit([[0.0], [1.0]] * 50, ["no", "yes"] * 50)
    >>> why = model.explain_local([[0.0], [1.0]])
    >>> len(why), why[1].label
    (2, 'yes')
    >>> list(why.to_frame().columns)
    ['row', 'rule', 'contribution']
    """

    def __init__(
        self, explanations: Sequence[E_co], explanation_type: Literal["global", "local"], name: str
    ) -> None:
        self._all = list(explanations)
        self.explanation_type = explanation_type
        self.name = name

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, at: int) -> E_co: ...
    @overload
    def __getitem__(self, at: slice) -> Explanations[E_co]: ...
    def __getitem__(self, at: int | slice) -> E_co | Explanations[E_co]:
        if isinstance(at, slice):
            return Explanations(self._all[at], self.explanation_type, self.name)
        return self._all[at]

    def __iter__(self) -> Iterator[E_co]:
        return iter(self._all)

    @property
    def selector(self) -> pd.DataFrame:
        """A frame with a row for each explanation, which identifies it."""
        import pandas as pd

        keys = ("row", "label", "probability", "score") if self.explanation_type == "local" else ("class",)
        rows = [explanation.to_dict() for explanation in self]
        return pd.DataFrame({key: [row[key] for row in rows] for key in keys if rows and key in rows[0]})

    def rows(self) -> list[dict[str, Any]]:
        """The terms of all explanations as dicts, each with its row or class."""
        return [{self._key: one.to_dict()[self._key]} | row for one in self for row in one.rows()]

    def to_dict(self) -> list[dict[str, Any]]:
        """The explanations as plain data: a dict for each."""
        return [explanation.to_dict() for explanation in self]

    def to_frame(self) -> pd.DataFrame:
        """The terms of all explanations as one pandas frame, with a column for their row or class."""
        from lire._frame import RuleFrame

        columns = [self._key, *(LocalExplanation if self._key == "row" else GlobalExplanation)._columns]
        return RuleFrame(self.rows(), columns=columns)

    def data(self, key: int | None = None) -> dict[str, Any]:
        """The terms of one explanation, or of all, in the form of the package interpret."""
        if key is not None:
            return self[key].data()
        return {"type": "univariate", "specific": [explanation.data() for explanation in self]}

    def visualize(self, key: int | None = None) -> str:
        """The page of one explanation, or of the first of them, that ``interpret.show`` shows."""
        return self._repr_html_() if key is None else self[key].visualize()

    def plot(self, key: int = 0, ax: Any = None) -> Any:
        """Draw one of the explanations with matplotlib, and return the axes."""
        return self[key].plot(ax)

    def _repr_html_(self) -> str:
        pages = [explanation._repr_html_() for explanation in self[:_SHOWN]]
        return "\n".join([*pages, *([f"<p>and {more} more</p>"] if (more := self._hidden()) else [])])

    def __repr__(self) -> str:
        texts = [repr(explanation) for explanation in self[:_SHOWN]]
        return "\n".join([*texts, *([f"and {more} more"] if (more := self._hidden()) else [])])

    @property
    def _key(self) -> str:
        return "row" if self.explanation_type == "local" else "class"

    def _hidden(self) -> int:
        return max(0, len(self) - _SHOWN)
