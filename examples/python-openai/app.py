"""A script that asks a model with OpenAI's client, instrumented by OpenInference."""

import os

from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor
from touchstone_otel import register, with_test

# With `strict`, the script fails when a span is lost. It is for tries and tests: leave it out in production.
touchstone = register(service_name="weather-writer", strict=True)
OpenAIInstrumentor().instrument()

client = OpenAI()
with with_test(os.environ["TEST_ID"]):
    completion = client.chat.completions.create(
        model=os.environ.get("MODEL", "gpt-5-mini"),
        messages=[
            {"role": "system", "content": "Make a sentence of the notes."},
            {"role": "user", "content": "Paris, 18 degrees, sunny"},
        ],
    )
print(completion.choices[0].message.content)
touchstone.shutdown()
