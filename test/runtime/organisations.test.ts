import { describe, expect, it } from 'vitest';
import { Organisations } from '../../src/runtime/organisations.ts';

describe('organisations of applications', () => {
  it('are the same group for all their applications, in every thread', () => {
    const organisations = new Organisations();
    for (const [application, id] of [
      [1, 'A'],
      [2, 'A'],
      [3, 'B'],
    ] as const)
      organisations.assign(application, id);
    const elsewhere = new Organisations(organisations.buffer);
    const groups = [1, 2, 3].map(elsewhere.groupOf);
    expect(groups[0]).toBe(groups[1]);
    expect(new Set([...groups, 1, 2, 3]).size).toBe(5);
    expect([1, 3, 4].map((application) => organisations.idOf(application))).toEqual(['A', 'B', null]);
  });

  it('leave applications that are unknown, and work without one, alone', () => {
    const { groupOf } = new Organisations();
    expect([7, -1, 2 ** 40, 'findKey'].map(groupOf)).toEqual([7, -1, 2 ** 40, 'findKey']);
  });

  it('never change', () => {
    const organisations = new Organisations();
    organisations.assign(1, 'A');
    organisations.assign(1, 'B');
    expect(organisations.idOf(1)).toBe('A');
  });

  it('sum the time that threads spend for them', () => {
    const organisations = new Organisations();
    organisations.assign(1, 'A');
    organisations.assign(2, 'A');
    const elsewhere = new Organisations(organisations.buffer);
    elsewhere.addDecoding(1, 1_500);
    elsewhere.addDecoding(2, 250.5);
    elsewhere.addDecoding(3, 9_000);
    expect([organisations.decodingSeconds('A'), organisations.decodingSeconds('B')]).toEqual([1.7505, 0]);
  });
});
