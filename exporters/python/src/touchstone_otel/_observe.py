from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, TypeVar, cast, overload

from opentelemetry import trace

from ._log import log
from ._observation import Kind, Observation, attributes_of, kind_attributes, set_content, set_own_output
from ._observed_streams import (
    InSpan,
    observe_result,
    observed_async_generator,
    observed_coroutine,
    observed_generator,
)

P = ParamSpec("P")
R = TypeVar("R")

_TRACER = "touchstone_otel"


@dataclass(frozen=True)
class _Options:
    name: str | None
    kind: Kind
    session: str | Callable[..., str | None] | None
    user: str | Callable[..., str | None] | None
    tags: Sequence[str] | Callable[..., Sequence[str] | None] | None
    metadata: Mapping[str, object] | Callable[..., Mapping[str, object] | None] | None
    model: str | None
    input: Callable[..., object] | Literal[False] | None
    output: Callable[[Any], object] | Literal[False] | None


@overload
def observe(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def observe(
    *,
    name: str | None = None,
    kind: Kind = "chain",
    session: str | Callable[..., str | None] | None = None,
    user: str | Callable[..., str | None] | None = None,
    tags: Sequence[str] | Callable[..., Sequence[str] | None] | None = None,
    metadata: Mapping[str, object] | Callable[..., Mapping[str, object] | None] | None = None,
    model: str | None = None,
    input: Callable[..., object] | Literal[False] | None = None,
    output: Callable[[Any], object] | Literal[False] | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def observe(
    function: Callable[P, R] | None = None,
    /,
    *,
    name: str | None = None,
    kind: Kind = "chain",
    session: str | Callable[..., str | None] | None = None,
    user: str | Callable[..., str | None] | None = None,
    tags: Sequence[str] | Callable[..., Sequence[str] | None] | None = None,
    metadata: Mapping[str, object] | Callable[..., Mapping[str, object] | None] | None = None,
    model: str | None = None,
    input: Callable[..., object] | Literal[False] | None = None,
    output: Callable[[Any], object] | Literal[False] | None = None,
) -> Callable[P, R] | Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorates a function, whose calls are then recorded as spans with input, output and error.

    Spans started inside are below it. A coroutine, a generator or a stream ends the span when it is done, at its last item, or when
    it is left. `session`, `user`, `tags` and `metadata` are values, or functions of the arguments. `input` gets the arguments and `output` the result,
    or the list of the items of a stream: what they return is recorded, and nothing where they are False.
    """
    options = _Options(name, kind, session, user, tags, metadata, model, input, output)
    return _decorated(function, options) if function is not None else functools.partial(_decorated, options=options)


def update_observation(
    *,
    name: str | None = None,
    input: object = None,
    output: object = None,
    session: str | None = None,
    user: str | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, object] | None = None,
    model: str | None = None,
    input_tokens: int | None = None,
    output_tokens: int | None = None,
) -> None:
    """Adds to the span that is current, such as that of the observed function around.

    The output stands in place of the result of the function. Does nothing where there is no span.
    """
    span = trace.get_current_span()
    if not span.is_recording():
        return
    try:
        if name is not None:
            span.update_name(_name_of(name))
        attributes = attributes_of(
            session=session,
            user=user,
            tags=tags,
            metadata=metadata,
            model=model,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
        )
        span.set_attributes(attributes)
        set_content(span, "input", input)
        if output is not None:
            set_own_output(span, output)
    except Exception as error:
        log.warning("touchstone: update_observation() failed: %r", error)


def current_trace_id() -> str | None:
    """Returns the id of the current trace, by which a score or feedback can be given later."""
    context = trace.get_current_span().get_span_context()
    return trace.format_trace_id(context.trace_id) if context.is_valid else None


def current_span_id() -> str | None:
    """Returns the id of the current span, by which a score can be given to it later."""
    context = trace.get_current_span().get_span_context()
    return trace.format_span_id(context.span_id) if context.is_valid else None


def _decorated(function: Callable[P, R], options: _Options) -> Callable[P, R]:
    name = _name_of(options.name) or _name_of(getattr(function, "__name__", None)) or "function"
    signature = _signature_of(function)

    def begin(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Observation:
        return _begin(name, options, signature, args, kwargs)

    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        wrap: Any = observed_async_generator if inspect.isasyncgenfunction(function) else observed_generator

        @functools.wraps(function)
        def observed_steps(*args: P.args, **kwargs: P.kwargs) -> Any:
            steps: Any = function(*args, **kwargs)
            return wrap(lambda: begin(args, kwargs), steps, copy_context())

        return cast("Callable[P, R]", observed_steps)

    if inspect.iscoroutinefunction(function):
        run = cast("Callable[P, Coroutine[Any, Any, Any]]", function)

        @functools.wraps(function)
        async def observed_async(*args: P.args, **kwargs: P.kwargs) -> Any:
            observation = begin(args, kwargs)
            return await observed_coroutine(run(*args, **kwargs), observation)

        return cast("Callable[P, R]", observed_async)

    @functools.wraps(function)
    def observed(*args: P.args, **kwargs: P.kwargs) -> R:
        observation = begin(args, kwargs)
        try:
            with InSpan(observation):
                result = function(*args, **kwargs)
        except BaseException as error:
            observation.fail(error)
            raise
        return observe_result(result, observation)

    return observed


def _begin(
    name: str, options: _Options, signature: inspect.Signature | None, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Observation:
    span = trace.get_tracer(_TRACER).start_span(name, attributes=kind_attributes(_name_of(options.kind), name))
    if not span.is_recording():
        return Observation(span, None)
    try:
        given = {
            field: _value_of(getattr(options, field), args, kwargs) for field in ("session", "user", "tags", "metadata")
        }
        span.set_attributes(attributes_of(model=options.model, **given))
    except Exception as error:
        log.warning("touchstone: an option of observe() raised for %s: %r", name, error)
    try:
        if options.input is not False:
            own = options.input(*args, **kwargs) if options.input else _input_of(signature, args, kwargs)
            set_content(span, "input", own)
    except Exception as error:
        log.warning("touchstone: the option `input` of observe() raised for %s: %r", name, error)
    if options.output is False:
        return Observation(span, None)
    return Observation(span, options.output or (lambda result: result))


def _name_of(value: object) -> str:
    """Returns a name as text, also where another value is passed."""
    try:
        return "" if value is None else str(value)
    except Exception:
        return ""


def _value_of(value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return value(*args, **kwargs) if callable(value) else value


def _signature_of(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def _input_of(signature: inspect.Signature | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """Returns the only argument, or several by their names, without `self`."""
    if signature is None:
        named: dict[str, object] = {**{str(at): one for at, one in enumerate(args)}, **kwargs}
    else:
        try:
            named = dict(signature.bind(*args, **kwargs).arguments)
        except TypeError:
            # The call fails with the same error.
            return None
        first = next(iter(signature.parameters), None)
        if first in ("self", "cls"):
            named.pop(first, None)
    return next(iter(named.values())) if len(named) == 1 else named or None
