import { expect, it } from 'vitest';
import { namedTraces } from '../../src/dashboard/issues/named-traces.ts';

const UUID = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736';
const HEX = '4bf92f3577b34da6a3ce929d0e0e4736';

it.each([
  ['', null],
  [' \n', null],
  [UUID, { ids: [UUID] }],
  [`${HEX}, ${UUID}\n`, { ids: [HEX, UUID] }],
  [`https://touchstone.example/app/traces/${UUID}?tab=notes`, { ids: [UUID] }],
  [`http://127.0.0.1:4318/tests/${UUID}`, { traces: { q: `test:${UUID}` } }],
  [' verdict:fail  last:7d ', { traces: { q: 'verdict:fail  last:7d' } }],
  [`${UUID} refund`, { traces: { q: `${UUID} refund` } }],
])('%j names %j', (text, expected) => {
  expect(namedTraces(text)).toEqual(expected);
});
