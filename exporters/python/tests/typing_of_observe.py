"""What type checkers see of observed functions; only checked, never run."""

# pyright: strict

from collections.abc import AsyncIterator

from typing_extensions import assert_type

from touchstone_otel import observe


@observe
def add(a: int, b: int = 1) -> str:
    return str(a + b)


def session_of(question: str) -> str:
    return question


@observe(kind="llm", session=session_of, output=False)
async def stream(question: str) -> AsyncIterator[str]:
    yield question


@observe(name="answer")
async def answer(question: str) -> int:
    return len(question)


async def use() -> None:
    assert_type(add(1, b=2), str)
    assert_type(await answer("Hi"), int)
    assert_type([item async for item in stream("Hi")], list[str])
    add("1")  # pyright: ignore[reportArgumentType]
    observe(kind="model")  # pyright: ignore
