import { ROOT_CONTEXT } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { BasicTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import { createLog } from '../../src/runtime/log.ts';
import { boundedExport } from '../../src/runtime/own-traces/bounded-export.ts';

type Done = Parameters<SpanExporter['export']>[1];

/** A processor whose exporter does what a test says, and a clock that a test sets. */
function open(respond: (count: number, done: Done) => void) {
  const logged: string[] = [];
  const clock = { ms: 0 };
  const numbers = { exported: 0, failed: 0, dropped: 0 };
  const processor = boundedExport({
    exporter: { export: (spans, done) => respond(spans.length, done), shutdown: async () => undefined },
    numbers,
    place: 'http://collector:4318',
    log: createLog({ level: 'info', write: (line) => logged.push(line), forPeople: false }),
    elapsed: () => clock.ms,
  });
  const tracer = new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('test');
  const end = (count: number): void => {
    for (let left = count; left > 0; left -= 1) tracer.startSpan('work', {}, ROOT_CONTEXT).end();
  };
  return { processor, end, numbers, clock, logged };
}

it('holds a fixed number of spans while the endpoint does not respond, and counts the others', () => {
  let sent = 0;
  const { end, numbers } = open((count) => {
    sent += count;
  });
  end(3_000);
  // One batch is in progress, and counts as waiting too.
  expect(sent).toBe(512);
  expect(numbers).toEqual({ exported: 0, failed: 0, dropped: 3_000 - 2_048 });
});

it('pauses after a failure, reports the first of several, and reports the end of them', async () => {
  let requests = 0;
  let isUp = false;
  const { processor, end, numbers, clock, logged } = open((_count, done) => {
    requests += 1;
    done(
      isUp
        ? { code: ExportResultCode.SUCCESS }
        : { code: ExportResultCode.FAILED, error: new Error('connect ECONNREFUSED') },
    );
  });
  const send = async (at: number): Promise<void> => {
    clock.ms = at;
    end(10);
    await processor.forceFlush();
  };
  await send(0);
  await send(29_999);
  expect(requests).toBe(1);
  await send(30_000);
  expect(requests).toBe(2);
  isUp = true;
  await send(60_000);
  await send(60_001);
  expect(numbers).toEqual({ exported: 20, failed: 30, dropped: 0 });
  expect(logged.map((line) => JSON.parse(line) as { level: string; reason?: string })).toMatchObject([
    { level: 'warn', endpoint: 'http://collector:4318', reason: 'connect ECONNREFUSED' },
    { level: 'info', endpoint: 'http://collector:4318' },
  ]);
});
