"""A file's lines count as what its path says, decided in one place."""

from __future__ import annotations

import pytest

from bot.diff.places import file_place


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("monarch_rdma/src/device_selection.rs", "product"),
        ("include/fbgemm/Utils.h", "product"),
        ("rdmaxcel-sys/build.rs", "product"),
        ("CMakeLists.txt", "product"),
        ("monarch_rdma/src/rdma_manager_actor_tests.rs", "test"),
        ("python/tests/test_rdma.py", "test"),
        ("python/monarch/_rust_bindings/rdma.pyi", "stub"),
        ("docs/source/conf.py", "docs"),
        ("tutorials/intro.ipynb", "docs"),
        ("README.md", "docs"),
        ("Cargo.toml", "settings"),
        (".github/workflows/ci.yml", "settings"),
        ("Cargo.lock", "made"),
        ("third_party/lib/a.cc", "made"),
        ("api/service_pb2.py", "made"),
        ("weights/table.csv", "settings"),
        ("model.pt", "data"),
    ],
)
def test_paths(path: str, place: str) -> None:
    assert file_place(path) == place
