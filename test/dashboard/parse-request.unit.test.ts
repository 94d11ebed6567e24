import { describe, expect, it } from 'vitest';
import { readIds } from '../../src/dashboard/health/read-ids.ts';
import { differenceText } from '../../src/dashboard/runs/difference.ts';
import { changedPart, parsePastedRequest, valueAt } from '../../src/dashboard/webhook/parse-request.ts';

const SIGNATURE = 'ab'.repeat(32);
const REQUEST = { signature: SIGNATURE, timestamp: '1769860800000', body: '{"prompt": "Hi", "n": 1.0}' };

describe('a pasted request', () => {
  it.each([
    [
      'text of HTTP',
      `POST /hook HTTP/1.1\nX-Service-Signature: ${SIGNATURE}\nX-Service-Timestamp: 1769860800000\ncontent-type: application/json\n\n{"prompt": "Hi", "n": 1.0}\n`,
    ],
    [
      'the output of curl -v',
      `> x-service-timestamp: 1769860800000\r\n> x-service-signature: ${SIGNATURE}\r\n>\r\n{"prompt": "Hi", "n": 1.0}`,
    ],
    [
      'JSON with headers and the text of the body',
      JSON.stringify({
        headers: { 'X-Service-Signature': SIGNATURE, 'X-Service-Timestamp': '1769860800000' },
        body: '{"prompt": "Hi", "n": 1.0}',
      }),
    ],
  ])('is found in %s, with the body unchanged', (_name, text) =>
    expect(parsePastedRequest(text)).toEqual(REQUEST),
  );

  it('is found in what is sent to be validated', () => {
    const text = `{"signature":"${SIGNATURE}","timestamp":1769860800000,"body":{"prompt":"Hi"}}`;
    expect(parsePastedRequest(text)).toEqual({ ...REQUEST, body: '{"prompt":"Hi"}' });
  });

  it('has empty parts where nothing is found', () => {
    expect(parsePastedRequest('good morning')).toEqual({ signature: '', timestamp: '', body: '' });
    expect(parsePastedRequest('{"prompt":"Hi"}')).toEqual({
      signature: '',
      timestamp: '',
      body: '{"prompt":"Hi"}',
    });
  });
});

describe('a changed body', () => {
  it.each([
    ['/metadata/locale', '"de"'],
    ['/list/1', '2'],
    ['/a~1b', 'true'],
    ['/absent', undefined],
    ['/metadata/constructor', undefined],
    ['', '{"metadata":{"locale":"de"},"list":[1,2],"a/b":true}'],
  ])('has the value at %j', (pointer, value) =>
    expect(valueAt('{"metadata":{"locale":"de"},"list":[1,2],"a/b":true}', pointer)).toBe(value),
  );

  it.each([
    ['"de"', '"DE"', { before: '"', sent: 'de', arrived: 'DE', after: '"' }],
    ['"aa"', '"aaa"', { before: '"aa', sent: '', arrived: 'a', after: '"' }],
    ['1', '1', { before: '1', sent: '', arrived: '', after: '' }],
  ])('%s to %s is marked where it differs', (sent, arrived, part) =>
    expect(changedPart(sent, arrived)).toEqual(part),
  );
});

it.each([
  ['4BF92F3577B34DA6A3CE929D0E0E4736', '4bf92f3577b34da6a3ce929d0e0e4736', null],
  [
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    '00f067aa0ba902b7',
  ],
  [
    '4bf92f35-77b3-4da6-a3ce-929d0e0e4736 00f067aa0ba902b7',
    '4bf92f35-77b3-4da6-a3ce-929d0e0e4736',
    '00f067aa0ba902b7',
  ],
])('ids are found in %s', (text, traceId, spanId) => expect(readIds(text)).toEqual({ traceId, spanId }));

it('no ids are found in other text', () => expect(readIds('00f067aa0ba902b7')).toBeNull());

describe('the sentence about a difference', () => {
  it.each([
    [{ low: 1.2, high: 28.9 }, 'Better than A, by 1.2 to 28.9 points.'],
    [{ low: -18, high: -1 }, 'Worse than A, by 1 to 18 points.'],
    [
      { low: -9.8, high: 14 },
      'No difference detected; a loss of up to 9.8 points and a gain of up to 14 points are not ruled out.',
    ],
    [{ low: 0, high: 1 }, 'No difference detected; a gain of up to 1 point is not ruled out.'],
    [{ low: 0, high: 0 }, 'No difference detected.'],
  ])('%j', (difference, text) => expect(differenceText({ difference, unpaired: [] }, 'A')).toBe(text));

  it.each([
    ['NOT_IN_CANDIDATE', 'The runs share no example: they cannot be compared.'],
    [
      'JUDGED_OTHERWISE',
      'The runs share examples, but with another expected output, evaluator version or judge version: they cannot be compared.',
    ],
    [
      'DOES_NOT_COUNT',
      'The runs share examples, but none of them has a verdict in both: they cannot be compared.',
    ],
  ] as const)('says why runs cannot be compared: %s', (reason, text) => {
    const unpaired = [{ taskId: 'task', exampleId: 'example', prompt: 'Hello', reason }];
    expect(differenceText({ difference: null, unpaired }, 'A')).toBe(text);
  });
});
