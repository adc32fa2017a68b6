"""Signed bars as a page that needs no files beside it."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

_POSITIVE, _NEGATIVE, _TOTAL = "#2a78b5", "#d1603d", "#6b7280"


class Bar(NamedTuple):
    """What, how much, and more about it."""

    label: str
    value: float
    more: str = ""
    is_total: bool = False

    @property
    def colour(self) -> str:
        """The colour that tells for or against."""
        if self.is_total:
            return _TOTAL
        return _POSITIVE if self.value >= 0 else _NEGATIVE


def page(title: str, note: str, bars: list[Bar]) -> str:
    """A title, a note in small letters, and the bars."""
    widest = max((abs(bar.value) for bar in bars), default=0.0) or 1.0
    rows = "".join(_row(bar, widest) for bar in bars)
    return (
        '<div style="font-family:system-ui,sans-serif;font-size:13px;max-width:780px;margin-bottom:12px">'
        f'<div style="font-weight:600;margin:4px 0 2px">{escape(title)}</div>'
        f'<div style="opacity:.65;margin-bottom:6px">{escape(note)}</div>'
        f'<table style="border-collapse:collapse;width:100%;border:none">{rows}</table></div>'
    )


def _row(bar: Bar, widest: float) -> str:
    share = 50.0 * abs(bar.value) / widest
    left = 50.0 if bar.value >= 0 else 50.0 - share
    line = "border-top:1px solid #999;font-weight:600" if bar.is_total else ""
    cell = "border:none;padding:3px 8px;text-align:left;background:transparent"
    return (
        f'<tr style="background:transparent;{line}"><td style="{cell}">{escape(bar.label)}'
        f' <span style="opacity:.55;font-weight:400">{escape(bar.more)}</span></td>'
        f'<td style="{cell};text-align:right;font-variant-numeric:tabular-nums">{bar.value:+.3f}</td>'
        f'<td style="{cell};width:40%"><div style="position:relative;height:14px;'
        "background:linear-gradient(to right,transparent calc(50% - .5px),#999 calc(50% - .5px),"
        '#999 calc(50% + .5px),transparent calc(50% + .5px))">'
        f'<div style="position:absolute;left:{left:.2f}%;width:{share:.2f}%;top:1px;height:12px;'
        f'border-radius:3px;background:{bar.colour}"></div></div></td></tr>'
    )
