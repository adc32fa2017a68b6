"""The trees of other libraries, read as they are: one reader for each library.

All of them become splits ``x <= threshold`` on doubles, or sets of levels. What a library compares as
float32 gets the threshold that sends every double where its float32 goes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from lire._columns import text_of

# LightGBM's kinds of missing values, as in its files.
_NOTHING_MISSING, _ZERO_MISSING = 0, 1
# For some features, the level of each of the library's codes.
Levels = Mapping[int, Sequence[str]]
# The levels of a feature for some codes.
Decode = Callable[[int, Sequence[int], Levels], list[str]]


@dataclass
class Tree:
    """A tree as arrays of nodes. Children come after their parents."""

    feature: np.ndarray  # -1 for a leaf
    threshold: np.ndarray  # numbers up to it go left
    left: np.ndarray
    right: np.ndarray
    missing_left: np.ndarray
    zero_left: np.ndarray | None = None  # 1 or 0 where zero goes its own way, -1 elsewhere
    # Nodes that split on categories: a set of levels, and whether it goes left; all others go right.
    sets: dict[int, tuple[list[str], bool]] = field(default_factory=dict)


def sklearn_trees(model: Any) -> Iterator[Tree]:
    """Trees of scikit-learn's forests and boosting: ``float32(x) <= threshold``."""
    for estimator in np.ravel(model.estimators_):
        tree = estimator.tree_
        largest = tree.threshold.astype(np.float32)
        largest = np.where(largest > tree.threshold, np.nextafter(largest, np.float32(-np.inf)), largest)
        yield Tree(
            feature=np.where(tree.children_left < 0, -1, tree.feature),
            threshold=doubles_up_to(largest),
            left=tree.children_left,
            right=tree.children_right,
            missing_left=tree.missing_go_to_left,
        )


def histogram_trees(model: Any, own: Levels | None) -> Iterator[Tree]:
    """Trees of scikit-learn's histogram boosting: ``x <= threshold``; unknown categories are missing."""
    order, levels = _histogram_features(model)
    if own is not None:  # The encoder was fitted on our codes.
        levels = {at: [own[at][int(code)] for code in codes] for at, codes in levels.items()}
    for predictor in (predictor for iteration in model._predictors for predictor in iteration):
        nodes = predictor.nodes
        inner = nodes["is_leaf"] == 0
        feature = np.where(inner, order[nodes["feature_idx"]], -1)
        missing_left = nodes["missing_go_to_left"] != 0
        sets = {}
        for node in np.flatnonzero(inner & (nodes["is_categorical"] != 0)):
            words = predictor.raw_left_cat_bitsets[nodes["bitset_idx"][node]]
            known = levels[int(feature[node])]
            goes_left = [bool(words[code // 32] >> (code % 32) & 1) for code in range(len(known))]
            # The set is the side that unknown categories do not take.
            side = not missing_left[node]
            sets[int(node)] = (
                [level for level, left in zip(known, goes_left, strict=True) if left == side],
                side,
            )
        yield Tree(feature, nodes["num_threshold"], nodes["left"], nodes["right"], missing_left, sets=sets)


def _histogram_features(model: Any) -> tuple[np.ndarray, dict[int, Any]]:
    """The features in the order of the nodes' indices, and the categories of those that have any."""
    preprocessor = getattr(model, "_preprocessor", None)
    if preprocessor is None:
        return np.arange(model.n_features_in_), {}
    is_categorical = np.asarray(model.is_categorical_)
    categorical = np.flatnonzero(is_categorical)
    categories = preprocessor.named_transformers_["encoder"].categories_
    known = (
        [value for value in values.tolist() if value is not None and value == value] for values in categories
    )
    levels = {
        int(at): [text_of(value) for value in values] for at, values in zip(categorical, known, strict=True)
    }
    return np.concatenate([categorical, np.flatnonzero(~is_categorical)]), levels


def lightgbm_trees(booster: Any, levels: Levels, decode: Decode) -> Iterator[Tree]:
    """Trees of LightGBM: ``x <= threshold``; zero may be missing, and missing may be zero.

    They are read from the model as text: the one as JSON has no infinite thresholds.
    """
    for part in booster.model_to_string(num_iteration=-1).split("\nTree=")[1:]:
        lines = part.split("\n\n", 1)[0].splitlines()
        fields = {
            name: values.split() for name, values in (line.split("=", 1) for line in lines if "=" in line)
        }
        kinds = np.array(fields.get("decision_type", []), dtype=np.int64)
        threshold = np.array(fields.get("threshold", []), dtype=np.float64)
        inner = len(kinds)
        feature = np.full(inner + int(fields["num_leaves"][0]), -1)
        feature[:inner] = fields.get("split_feature", [])
        # The bits of a kind: whether it splits on categories, whether missing goes left, what is missing.
        is_set, default_left, missing = kinds & 1 != 0, kinds & 2 != 0, kinds >> 2 & 3
        missing_left = np.where(missing == _NOTHING_MISSING, threshold >= 0, default_left) & ~is_set
        zero_left = np.where((missing == _ZERO_MISSING) & ~is_set, default_left, -1)
        words = np.array(fields.get("cat_threshold", []), dtype=np.int64)
        starts = np.array(fields.get("cat_boundaries", []), dtype=np.int64)
        sets = {}
        for node in np.flatnonzero(is_set).tolist():
            place = int(threshold[node])
            own = words[starts[place] : starts[place + 1]].tolist()
            codes = [32 * at + bit for at, word in enumerate(own) for bit in range(32) if word >> bit & 1]
            sets[node] = (decode(int(feature[node]), codes, levels), True)

        def padded(values: np.ndarray, n_nodes: int = len(feature)) -> np.ndarray:
            return np.concatenate([values, np.zeros(n_nodes - len(values), dtype=values.dtype)])

        def children(side: str, fields: dict[str, list[str]] = fields, inner: int = inner) -> np.ndarray:
            # Leaves count from -1 down.
            places = np.array(fields.get(side, []), dtype=np.int64)
            return np.where(places < 0, inner + ~places, places)

        yield Tree(
            feature=feature,
            threshold=padded(threshold),
            left=padded(children("left_child")),
            right=padded(children("right_child")),
            missing_left=padded(missing_left),
            zero_left=padded(zero_left),
            sets=sets,
        )


def xgboost_trees(model: dict[str, Any], levels: Levels, decode: Decode) -> Iterator[Tree]:
    """Trees of XGBoost: ``float32(x) < threshold``; sets go right, all other categories left."""
    for tree in model["trees"]:
        left = np.asarray(tree["left_children"])
        feature = np.where(left < 0, -1, tree["split_indices"])
        below = np.nextafter(np.asarray(tree["split_conditions"], dtype=np.float32), np.float32(-np.inf))
        sets = {}
        parts = (tree[f"categories_{part}"] for part in ("nodes", "segments", "sizes"))
        for node, start, size in zip(*parts, strict=True):
            codes = tree["categories"][start : start + size]
            sets[node] = (decode(int(feature[node]), codes, levels), False)
        yield Tree(
            feature=feature,
            threshold=doubles_up_to(below),
            left=left,
            right=np.asarray(tree["right_children"]),
            missing_left=np.asarray(tree["default_left"]) != 0,
            sets=sets,
        )


def xgboost_model(booster: Any) -> tuple[dict[str, Any], dict[int, list[str]]]:
    """The trees of a booster as data, and the categories that it knows by name."""
    data = json.loads(bytes(booster.save_raw("json")))["learner"]["gradient_booster"]
    model = data.get("gbtree", data)["model"]
    if "trees" not in model:
        raise ValueError(f"tree_generator: a booster of kind {data['name']!r} has no trees")
    known = {}
    for at, categories in enumerate(model.get("cats", {}).get("enc", [])):
        values, ends = categories["values"], categories.get("offsets")
        if ends is None:
            known[at] = [text_of(value) for value in values]
        elif ends:
            text = bytes(byte % 256 for byte in values)
            known[at] = [text[start:end].decode() for start, end in pairwise(ends)]
    return model, known


def doubles_up_to(largest: np.ndarray) -> np.ndarray:
    """For each float32, the largest double that rounds to it or to a smaller one."""
    low = largest.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        high = np.nextafter(largest, np.float32(np.inf)).astype(np.float64)
        # Rounding treats the first number beyond the largest float32 as if there were one.
        middle = low + (np.where(np.isinf(high), 2.0**128, high) - low) / 2
    # Ties round to the neighbour with an even last bit.
    is_even = largest.view(np.int32) & 1 == 0
    return np.where(np.isinf(largest), low, np.where(is_even, middle, np.nextafter(middle, -np.inf)))
