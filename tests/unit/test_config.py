"""``brain.yml``: defaults, overlays, and what is said of a wrong key or value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from smartbrain.config import BrainConfig, differences
from smartbrain.errors import ConfigError


@pytest.mark.parametrize(
    ("given", "path", "nearest"),
    [
        ({"policys": {}}, "policys", "policies"),
        ({"policies": {"composition": {"token_limt": 9}}}, "policies.composition.token_limt", "token_limit"),
        ({"policies": {"retention": {"entity_gate": {"window": 9}}}}, "entity_gate.window", "window_turns"),
        ({"store": {"busy_timeout": 9}}, "store.busy_timeout", "busy_timeout_ms"),
    ],
)
def test_an_unknown_key_is_an_error_that_names_the_nearest_known_one(
    given: dict[str, Any], path: str, nearest: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        BrainConfig.load(given)
    assert path in str(caught.value)
    assert f"did you mean '{nearest}'" in str(caught.value)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"policies": {"composition": {"token_limit": 0}}}, "policies.composition.token_limit"),
        ({"policies": {"composition": {"diversity": {"memory_resource_ratio": "all"}}}}, "memory_resource_ratio"),
        ({"policies": {"retrieval": {"fusion": {"method": "magic"}}}}, "policies.retrieval.fusion.method"),
        ({"policies": 3}, "policies"),
    ],
)
def test_a_value_out_of_range_is_an_error_that_names_its_key(given: dict[str, Any], path: str) -> None:
    with pytest.raises(ConfigError, match=path):
        BrainConfig.load(given)


def test_a_file_is_laid_over_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "brain.yml"
    file.write_text(
        "policies:\n  composition:\n    token_limit: 1000\n  retrieval:\n    enable_resource_retrieval: off\n"
    )
    found = BrainConfig.load(file)
    assert found.policies.composition.token_limit == 1000
    assert found.policies.composition.evidence_max_items == 12
    assert found.policies.retrieval.enable_resource_retrieval == "never"


def test_an_empty_file_means_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "brain.yml"
    file.write_text("")
    assert BrainConfig.load(file) == BrainConfig.load(None) == BrainConfig()


@pytest.mark.parametrize("text", ["a: [", "- 1\n- 2\n", "just words"])
def test_a_file_that_is_no_configuration_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "brain.yml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"brain\.yml"):
        BrainConfig.load(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read the configuration .*none\.yml"):
        BrainConfig.load(tmp_path / "none.yml")


def test_the_defaults_are_those_of_the_contract() -> None:
    policies = BrainConfig().policies
    composition, retrieval, retention = policies.composition, policies.retrieval, policies.retention
    assert (composition.token_limit, composition.system_blocks_max_tokens, composition.summary_max_tokens) == (
        8192,
        800,
        600,
    )
    assert (composition.recent_turns_max, composition.evidence_max_items, composition.max_snippet_chars) == (8, 12, 800)
    assert (composition.diversity.by_document, composition.diversity.by_source_uri) == (3, 2)
    assert composition.diversity.memory_share == 0.4
    assert (retrieval.top_k, retrieval.candidate_k, retrieval.fusion.method, retrieval.fusion.rrf_k) == (
        30,
        200,
        "rrf",
        60,
    )
    assert retrieval.per_mode_k == {"exact": 10, "semantic": 10, "hybrid": 30}
    assert (retention.entity_gate.window_turns, retention.entity_gate.freq_threshold) == (20, 2)
    assert (retention.confidence.user_asserted, retention.confidence.tool_derived, retention.confidence.inferred) == (
        0.8,
        0.9,
        0.6,
    )
    assert (retention.summarize_after_turns, policies.consolidation.token_pressure) == (12, 0.7)


def test_what_differs_is_told_by_path() -> None:
    other = BrainConfig.load({"policies": {"composition": {"token_limit": 1000}}})
    assert differences(BrainConfig(), other) == {"policies.composition.token_limit": (8192, 1000)}
