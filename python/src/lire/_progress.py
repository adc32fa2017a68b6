"""What a fit tells while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


class Progress:
    """Prints what happens (``verbose``) and passes it on (``callback``)."""

    def __init__(self, verbose: int, callback: Callable[[dict[str, Any]], Any] | None, who: str):
        self.verbose, self.callback, self.who = verbose, callback, who
        self.told = float("-inf")

    @classmethod
    def of(cls, verbose: int, callback: Any, who: str) -> Progress | None:
        """Someone to tell, if anyone wants to know."""
        return cls(int(verbose), callback, who) if verbose or callback is not None else None

    def __call__(self, stage: str, count: int, value: float) -> None:
        if stage == "trees":
            event = {"stage": "trees", "done": count, "total": int(value)}
            message = f"{count}/{int(value)} trees"
        else:
            event = {"stage": "rules", "n_rules": count, "objective": value}
            message = f"{count} {'rule' if count == 1 else 'rules'}, objective {value:.6f}"
        if self.callback is not None:
            self.callback(event)
        # Once a second is enough to read; more on request.
        if self.verbose > 1 or (self.verbose and time.monotonic() - self.told >= 1.0):
            self.told = time.monotonic()
            print(f"[{self.who}] {message}", flush=True)
