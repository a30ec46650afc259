"""What others need to read the same facts. Run by a Python that has them: rivals.py NAME REPOSITORY [MIRROR].

Prints how many commits and changed lines were read, so that nothing is left out unseen.
"""

import importlib
import sys


def pydriller(repository: str) -> tuple[int, int]:
    commits = lines = 0
    for commit in importlib.import_module("pydriller").Repository(repository).traverse_commits():
        commits += bool(commit.hash and commit.author and commit.author_date and commit.msg is not None)
        for file in commit.modified_files:
            lines += file.added_lines + file.deleted_lines
    return commits, lines


def perceval(repository: str, mirror: str) -> tuple[int, int]:
    commits = lines = 0
    for item in importlib.import_module("perceval.backends.core.git").Git(repository, mirror).fetch():
        commits += 1
        for file in item["data"]["files"]:
            added, removed = file.get("added", "-"), file.get("removed", "-")
            lines += int(added) + int(removed) if added != "-" else 0
    return commits, lines


if __name__ == "__main__":
    name, *places = sys.argv[1:]
    print(*(pydriller if name == "pydriller" else perceval)(*places))
