"""A pandas frame of rules that prints them in full."""

from __future__ import annotations

from typing import Any

import pandas as pd

from lire._page import plain

_FORMATS = {
    "weight": "{:+.3f}",
    "contribution": "{:+.3f}",
    "coverage": "{:.1%}",
    "importance": "{:.3f}",
}


class RuleFrame(pd.DataFrame):
    """A frame that prints the rule last and does not truncate it."""

    @property
    def _constructor(self) -> type[RuleFrame]:
        return RuleFrame

    def __repr__(self) -> str:
        """One line a rule."""
        if "rule" not in self.columns or not self.columns.is_unique or self.empty:
            return super().__repr__()
        most = pd.get_option("display.max_rows") or len(self)
        if len(self) > most:
            return f"{self[:most]!r}\nand {len(self) - most} more"
        shown = {str(name): _texts(str(name), self[name]) for name in self.columns if name != "rule"}
        lines = [[name, *cells] for name, cells in shown.items()]
        widths = [max(map(len, cells)) for cells in lines]
        rules = ["rule", *(plain(str(rule)) for rule in self["rule"])]
        return "\n".join(
            "  ".join([*(cells[at].rjust(width) for cells, width in zip(lines, widths, strict=True)), rule])
            for at, rule in enumerate(rules)
        )

    def _repr_html_(self) -> str | None:
        with pd.option_context("display.max_colwidth", None):
            return super()._repr_html_()


def _texts(name: str, cells: Any) -> list[str]:
    return [_FORMATS.get(name, "{}").format(cell) for cell in cells]
