import { beforeEach, describe, expect, it } from 'vitest';
import { DELIVERY_ATTRIBUTE } from '../../src/deliver/delivery-span.ts';
import { type TestContent, testContent } from '../../src/tests/content.ts';
import { MS, type SpanSpec, spanHex, uuid, type Values } from '../support/spans.ts';
import { type Tenant, useStore } from '../support/storage.ts';

const TEST = uuid(0x7e57);
const OTHER_TEST = uuid(0x07e5);

const store = useStore();
let tenant: Tenant;
beforeEach(() => {
  tenant = store.newTenant();
});

const content = (): TestContent =>
  testContent(tenant.database, { application: tenant.application, testId: TEST });

const ofTest = (testId: string, more: Values = {}): Values => ({ 'service.test.id': testId, ...more });
const says = (input: string | null, output: string | null): Values => ({
  'openinference.span.kind': 'CHAIN',
  ...(input === null ? {} : { 'input.value': input }),
  ...(output === null ? {} : { 'output.value': output }),
});
/** The attempt to deliver the test, as the service stores it. */
const delivery: SpanSpec = {
  id: 9,
  name: 'POST webhook',
  end: 50 * MS,
  attributes: ofTest(TEST, { [DELIVERY_ATTRIBUTE]: 'attempt' }),
};

describe('input and output of a test', () => {
  it.each<[rule: string, specs: SpanSpec[], expected: Partial<TestContent>]>([
    [
      'nothing is stored',
      [],
      { traceIds: [], input: null, output: null, inputSpanId: null, outputSpanId: null },
    ],
    [
      'our delivery alone says nothing',
      [delivery],
      { input: null, output: null, inputSpanId: null, outputSpanId: null },
    ],
    [
      'what the app says at its root',
      [
        { id: 1, attributes: ofTest(TEST, says('in', 'out')) },
        { id: 2, parent: 1, attributes: says('x', 'y') },
      ],
      { input: 'in', output: 'out', inputSpanId: spanHex(1), outputSpanId: spanHex(1) },
    ],
    [
      'what the app says below our delivery',
      [delivery, { id: 1, parent: 9, attributes: says('in', 'out') }],
      { input: 'in', output: 'out', inputSpanId: spanHex(1) },
    ],
    [
      'the earliest input and the latest output of several traces',
      [
        {
          trace: 1,
          id: 1,
          start: 5 * MS,
          end: 6 * MS,
          attributes: ofTest(TEST, says('second', 'first out')),
        },
        { trace: 2, id: 2, start: 0, end: 1 * MS, attributes: ofTest(TEST, says('first', 'too early')) },
        { trace: 3, id: 3, start: 7 * MS, end: 8 * MS, attributes: ofTest(TEST, says('third', 'last out')) },
      ],
      { input: 'first', output: 'last out', inputSpanId: spanHex(2), outputSpanId: spanHex(3) },
    ],
    [
      'a root of one trace before the level below the root of another',
      [
        { trace: 1, id: 1, attributes: ofTest(TEST) },
        { trace: 1, id: 2, parent: 1, attributes: says('below', 'below') },
        { trace: 2, id: 3, start: 9 * MS, attributes: ofTest(TEST, says('at the root', null)) },
      ],
      { input: 'at the root', output: 'below', inputSpanId: spanHex(3), outputSpanId: spanHex(2) },
    ],
    [
      'spans of several traces that have the same ids',
      [
        { trace: 1, id: 1, attributes: ofTest(TEST, says('in', null)) },
        { trace: 2, id: 1, start: 5 * MS, attributes: ofTest(TEST, says('later in', 'out')) },
      ],
      { input: 'in', output: 'out', inputSpanId: spanHex(1), outputSpanId: spanHex(1) },
    ],
    [
      'nothing of another test in the same trace',
      [
        { id: 1, attributes: ofTest(OTHER_TEST, says('theirs', 'theirs')) },
        { id: 2, parent: 1, start: MS, attributes: ofTest(TEST, says('ours', 'ours')) },
      ],
      { input: 'ours', output: 'ours', inputSpanId: spanHex(2) },
    ],
    [
      'what a span says of its whole trace before all others',
      [
        { id: 1, attributes: ofTest(TEST, says('root', 'root')) },
        { id: 2, parent: 1, attributes: { 'langfuse.trace.input': 'whole', 'langfuse.trace.output': 'all' } },
      ],
      { input: 'whole', output: 'all', inputSpanId: spanHex(2), outputSpanId: spanHex(2) },
    ],
  ])('%s', (_definition, specs, expected) => {
    tenant.store(specs);
    expect(content()).toMatchObject(expected);
  });

  it('are the same whatever the order in which spans arrived', () => {
    const specs: SpanSpec[] = [
      delivery,
      { id: 1, parent: 9, attributes: says('in', null) },
      { trace: 2, id: 2, start: 3 * MS, attributes: ofTest(TEST, says(null, 'out')) },
    ];
    const other = store.newTenant();
    for (const spec of specs) tenant.store([spec]);
    for (const spec of specs.toReversed()) other.store([spec]);
    const there = testContent(other.database, { application: other.application, testId: TEST });
    expect(content()).toEqual(there);
    expect(there).toMatchObject({ input: 'in', output: 'out' });
  });

  it('name the traces as the trace API does, the earliest first', () => {
    tenant.store([
      { trace: 7, id: 1, start: 5 * MS, attributes: ofTest(TEST) },
      { trace: 8, id: 1, attributes: ofTest(TEST) },
    ]);
    expect(content().traceIds).toEqual([tenant.read(8)?.id, tenant.read(7)?.id]);
  });

  it('are not taken from another application', () => {
    store.newTenant().store([{ id: 1, attributes: ofTest(TEST, says('theirs', 'theirs')) }]);
    expect(content()).toMatchObject({ traceIds: [], input: null, output: null });
  });

  it('are gone when the trace is deleted', () => {
    tenant.store([{ id: 1, attributes: ofTest(TEST, says('in', 'out')) }]);
    tenant.delete(1);
    expect(content()).toMatchObject({ traceIds: [], input: null, output: null, inputSpanId: null });
  });
});
