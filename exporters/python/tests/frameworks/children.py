"""Makes spans in this process, in a forked one and in a spawned one, each in a test of the command line."""

from __future__ import annotations

import multiprocessing
import sys

from app import work


def print_work(test_id: str) -> None:
    print(work(test_id), flush=True)


if __name__ == "__main__":
    test_ids = sys.argv[1:]
    print_work(test_ids[0])
    for method, ids in (("fork", test_ids[1:5]), ("spawn", test_ids[5:])):
        children = [multiprocessing.get_context(method).Process(target=print_work, args=(id,)) for id in ids]
        for child in children:
            child.start()
        for child in children:
            child.join()
