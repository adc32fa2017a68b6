"""Signed bars as a self-contained HTML page."""

from __future__ import annotations

from html import escape
from typing import NamedTuple
from unicodedata import category

# The decimals of the numbers printed beside bars.
DECIMALS = 3
# Control characters, and what ends a line or paragraph.
_CONTROL = {"Cc", "Zl", "Zp"}
_POSITIVE, _NEGATIVE, _TOTAL = "#2a78b5", "#d1603d", "#6b7280"


# Characters that change the direction of writing, which could make a line look like another.
_TURNING = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def plain(text: str) -> str:
    """A text on one line, with control characters escaped."""
    if text.isprintable():
        return text
    return "".join(
        sign.encode("unicode_escape").decode() if sign in _TURNING or category(sign) in _CONTROL else sign
        for sign in text
    )


class Bar(NamedTuple):
    """A bar: its label, its value, the value as printed, and a remark."""

    label: str
    value: float
    shown: float
    more: str = ""
    is_total: bool = False

    @property
    def text(self) -> str:
        """The number as printed, without a minus for zero."""
        return f"{self.shown + 0.0:+.{DECIMALS}f}"

    @property
    def colour(self) -> str:
        """The colour of positive or negative values."""
        if self.is_total:
            return _TOTAL
        return _POSITIVE if self.value >= 0 else _NEGATIVE


def page(title: str, note: str, bars: list[Bar]) -> str:
    """A title, a note in small letters, and the bars."""
    widest = max((abs(bar.value) for bar in bars), default=0.0) or 1.0
    rows = "".join(_row(bar, widest) for bar in bars)
    return (
        '<div style="font-family:system-ui,sans-serif;font-size:13px;max-width:780px;margin-bottom:12px">'
        f'<div style="font-weight:600;margin:4px 0 2px">{escape(plain(title))}</div>'
        f'<div style="opacity:.65;margin-bottom:6px">{escape(plain(note))}</div>'
        f'<table style="border-collapse:collapse;width:100%;border:none">{rows}</table></div>'
    )


def _row(bar: Bar, widest: float) -> str:
    share = 50.0 * abs(bar.value) / widest
    left = 50.0 if bar.value >= 0 else 50.0 - share
    line = "border-top:1px solid #999;font-weight:600" if bar.is_total else ""
    cell = "border:none;padding:3px 8px;text-align:left;background:transparent"
    return (
        f'<tr style="background:transparent;{line}"><td style="{cell}">{escape(plain(bar.label))}'
        f' <span style="opacity:.55;font-weight:400">{escape(plain(bar.more))}</span></td>'
        f'<td style="{cell};text-align:right;font-variant-numeric:tabular-nums">{bar.text}</td>'
        f'<td style="{cell};width:40%"><div style="position:relative;height:14px;'
        "background:linear-gradient(to right,transparent calc(50% - .5px),#999 calc(50% - .5px),"
        '#999 calc(50% + .5px),transparent calc(50% + .5px))">'
        f'<div style="position:absolute;left:{left:.2f}%;width:{share:.2f}%;top:1px;height:12px;'
        f'border-radius:3px;background:{bar.colour}"></div></div></td></tr>'
    )
