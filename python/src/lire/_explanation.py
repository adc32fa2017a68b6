"""Explanations as objects: data of the library with a table, a picture and a page."""

from __future__ import annotations

from html import escape
from typing import Any

_POSITIVE, _NEGATIVE = "#2a78b5", "#d1603d"


class _Explanation:
    """Plain data, as the library gives it."""

    def __init__(self, data: dict[str, Any]):
        self._data = data

    def to_dict(self) -> dict[str, Any]:
        """All that is known, as plain data."""
        return self._data

    def to_frame(self):
        """The terms as a pandas frame."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def rows(self) -> list[dict[str, Any]]:
        """The terms as dicts."""
        raise NotImplementedError

    @property
    def intercept(self) -> float:
        """Where the score starts."""
        return self._data["intercept"]

    @property
    def class_(self) -> str | None:
        """The class that positive weights speak for; none where the score is a number."""
        return self._data.get("class")

    def _bars(self) -> list[tuple[str, float, str]]:
        """Each bar: what, how much, and more about it."""
        raise NotImplementedError

    def _title(self) -> str:
        raise NotImplementedError

    def plot(self, ax=None):
        """Draw the signed bars with matplotlib, and give the axes back."""
        import matplotlib.pyplot as plt

        bars = self._bars()[::-1]
        if ax is None:
            _, ax = plt.subplots(figsize=(7, 0.8 + 0.4 * len(bars)), layout="constrained")
        values = [value for _, value, _ in bars]
        ax.barh(
            [label for label, _, _ in bars],
            values,
            color=[_POSITIVE if value >= 0 else _NEGATIVE for value in values],
        )
        ax.axvline(0, color="#888", linewidth=0.8)
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(left=False)
        ax.set_title(self._title(), loc="left")
        ax.set_xlabel("contribution to the score")
        return ax

    def _repr_html_(self) -> str:
        bars = self._bars()
        widest = max((abs(value) for _, value, _ in bars), default=0.0) or 1.0
        rows = "".join(_bar_row(label, value, more, widest) for label, value, more in bars)
        return (
            '<div style="font-family:system-ui,sans-serif;font-size:13px;max-width:780px">'
            f'<div style="font-weight:600;margin:4px 0 6px">{escape(self._title())}</div>'
            '<table style="border-collapse:collapse;width:100%;border:none">'
            f"{rows}</table></div>"
        )

    def __repr__(self) -> str:
        bars = self._bars()
        width = max((len(label) for label, _, _ in bars), default=0)
        lines = [f"  {value:+.3f}  {label:<{width}}  {more}".rstrip() for label, value, more in bars]
        return "\n".join([self._title(), *lines])


class GlobalExplanation(_Explanation):
    """What was learned: all terms of a score."""

    def rows(self, with_class: bool = False) -> list[dict[str, Any]]:
        """The terms as dicts, most important first."""
        of_class = {"class": self.class_} if with_class else {}
        rows = [
            of_class
            | {
                "rule": rule["rule"],
                "weight": rule["weight"],
                "coverage": rule["coverage"],
                "importance": rule["importance"],
            }
            for rule in self._data["rules"]
        ]
        rows += [
            of_class
            | {
                "rule": linear["feature"],
                "weight": linear["weight"],
                "coverage": 1.0,
                "importance": linear["importance"],
            }
            for linear in self._data.get("linear", [])
        ]
        return sorted(rows, key=lambda row: -row["importance"])

    def _bars(self) -> list[tuple[str, float, str]]:
        start = [("always", self.intercept, "")]
        return start + [(row["rule"], row["weight"], f"{row['coverage']:.0%} of rows") for row in self.rows()]

    def _title(self) -> str:
        n_terms = len(self.rows())
        what = f"{n_terms} {'term' if n_terms == 1 else 'terms'}"
        return what if self.class_ is None else f"{what} for {self.class_}"


class LocalExplanation(_Explanation):
    """Why one row has its score: the intercept and these terms, and nothing else."""

    @property
    def score(self) -> float:
        """The intercept plus all contributions."""
        return self._data["score"]

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

    def _bars(self) -> list[tuple[str, float, str]]:
        start = [("always", self.intercept, "")]
        terms = sorted(self.rows(), key=lambda row: -abs(row["contribution"]))
        return start + [(row["rule"], row["contribution"], "") for row in terms]

    def _title(self) -> str:
        if self.label is None:
            return f"row {self._data['row']}: {self.score:.6g}"
        return (
            f"row {self._data['row']}: {self.label} "
            f"(score {self.score:+.3f}, probability of {self.class_} {self.probability:.1%})"
        )


def _bar_row(label: str, value: float, more: str, widest: float) -> str:
    share = 50.0 * abs(value) / widest
    colour = _POSITIVE if value >= 0 else _NEGATIVE
    left = 50.0 if value >= 0 else 50.0 - share
    cell = "border:none;padding:3px 8px;text-align:left;background:transparent"
    return (
        f'<tr style="background:transparent"><td style="{cell}">{escape(label)}'
        f' <span style="opacity:.55">{escape(more)}</span></td>'
        f'<td style="{cell};text-align:right;font-variant-numeric:tabular-nums">{value:+.3f}</td>'
        f'<td style="{cell};width:40%"><div style="position:relative;height:14px;'
        "background:linear-gradient(to right,transparent calc(50% - .5px),#999 calc(50% - .5px),"
        '#999 calc(50% + .5px),transparent calc(50% + .5px))">'
        f'<div style="position:absolute;left:{left:.2f}%;width:{share:.2f}%;top:1px;height:12px;'
        f'border-radius:3px;background:{colour}"></div></div></td></tr>'
    )
