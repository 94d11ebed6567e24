import { describe, expect, it } from 'vitest';
import { eventStreams, StreamCounts, type StreamKind } from '../../src/runtime/event-streams.ts';
import type { Party } from '../../src/runtime/party.ts';
import { createLog } from '../../src/runtime/log.ts';

const KIND: StreamKind = {
  name: 'test',
  plural: 'streams of tests',
  total: 10,
  perApplication: 3,
  longestMs: 60_000,
  lingerMs: 0,
};
/** Applications below 100 are of one organisation. */
const groupOf = (party: Party): Party => (Number(party) < 100 ? 'organisation' : party);

function setUp(perOrganisation: number | null = null) {
  const counts = new StreamCounts(groupOf, perOrganisation);
  const open = eventStreams({
    isClosing: () => false,
    log: createLog({ level: 'error', write: () => undefined, forPeople: false }),
    open: { set: () => undefined },
    counts,
  });
  async function* text(): AsyncGenerator<string, void> {
    yield 'text';
  }
  const openOne = (application: number) =>
    open(KIND, { application, revoked: new AbortController().signal }, text);
  return Object.assign(openOne, { counts });
}

describe('streams', () => {
  it.each([
    ['half of all', null, 5],
    ['its limit', 2, 2],
  ])('of an organisation with many applications are at most %s', (_what, perOrganisation, most) => {
    const open = setUp(perOrganisation);
    let opened = 0;
    expect(() => {
      for (let application = 1; application < 20; application++) {
        open(application);
        opened += 1;
      }
    }).toThrow(`The organisation has ${most} open streams of tests, the most allowed`);
    expect(opened).toBe(most);
    expect(open.counts.fullest('organisation')).toEqual({ used: most, limit: most });
    expect(open.counts.fullest(100)).toEqual({ used: 0, limit: most });
    for (const neighbour of [100, 100, 100]) open(neighbour);
    expect(() => open(100)).toThrow('The application has 3 open streams of tests');
  });

  it('that have ended make space for others', async () => {
    const open = setUp(1);
    const stream = open(1);
    expect(() => open(2)).toThrow('The organisation has 1 open');
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(() => open(2)).not.toThrow();
  });
});
