"""An app under load: it waits for its limits, ends its spans, and prints what became of them, of its memory and of its event loop."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import resource
import sys
import time

from opentelemetry import trace
from touchstone_otel import register

spans, characters, spans_per_turn = map(int, sys.argv[1:])
touchstone = register()


async def main() -> None:
    longest = 0.0
    before = time.process_time()

    async def watch() -> None:
        nonlocal longest, before
        while True:
            await asyncio.sleep(0.001)
            now = time.process_time()
            longest, before = max(longest, now - before), now

    watching = asyncio.create_task(watch())
    tracer = trace.get_tracer("app")
    for n in range(spans):
        text = str(n).ljust(characters, "x")
        tracer.start_span("answer", attributes={"input.value": text}).end()
        if (n + 1) % spans_per_turn == 0:
            await asyncio.sleep(0)
    # A turn that ends all spans at once is the app's own.
    if spans_per_turn >= spans:
        longest, before = 0.0, time.process_time()
    while (stats := touchstone.stats()).waiting + stats.in_flight > 0:
        await asyncio.to_thread(touchstone.flush)
    watching.cancel()
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    stats_of_all = dataclasses.asdict(touchstone.stats())
    print(json.dumps({"stats": stats_of_all, "pauseMs": longest * 1000, "peakBytes": peak_bytes}))


print("ready", flush=True)
sys.stdin.readline()
asyncio.run(main())
