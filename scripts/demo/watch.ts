import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, call, request } from './api.ts';
import type { DemoLog } from './log.ts';

export interface WatchedTest {
  id: string;
  status: 'PENDING' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  failure: { code: string; message: string; hint: string } | null;
  timeline: { at: string; phase: string; detail: string }[];
}

/** Prints each new step of a test, from its stream, until the test has ended. */
export async function watchTest(api: Api, testId: string, log: DemoLog): Promise<WatchedTest> {
  const { body } = await request(api, 'GET', `/v0/tests/${testId}/stream`);
  let reported = 0;
  let rest = '';
  for await (const text of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^event: test\ndata: (.*)$/.exec(event)?.[1];
      if (data === undefined) continue;
      const test = JSON.parse(data) as WatchedTest;
      for (const { at, phase, detail } of test.timeline.slice(reported)) {
        log.print('test', `${phase}: ${detail}`, Date.parse(at));
      }
      reported = test.timeline.length;
      if (test.status === 'COMPLETED' || test.status === 'FAILED') return test;
    }
  }
  throw new Error('The stream of the test ended before the test did');
}

/** Prints the number of spans of a test whenever it grows, for the last time after it is aborted. */
export async function watchSpans(
  api: Api,
  testId: string,
  { log, signal }: { log: DemoLog; signal: AbortSignal },
): Promise<void> {
  let stored = 0;
  for (;;) {
    const isLast = signal.aborted;
    const path = `/v0/traces?testId=${testId}`;
    const { data } = await call<{ data: { spanCount: number }[] }>(api, 'GET', path);
    const count = data.reduce((sum, { spanCount }) => sum + spanCount, 0);
    if (count > stored) log.print('spans', `${count} on disk`);
    stored = count;
    if (isLast) return;
    await sleep(100);
  }
}
