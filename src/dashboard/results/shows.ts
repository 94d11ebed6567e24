import { ALL_OUTCOMES, type Show } from './grid-state.ts';
import type { ResultFacets } from './result-types.ts';

/** Returns the tabs of one run; `hasBefore` is true if it is shown beside the run before. */
export function runShows(facets: ResultFacets | undefined, hasBefore: boolean): Show[] {
  const outcomes = facets?.outcomes;
  const all = outcomes && ALL_OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], 0);
  const failed: Show = {
    id: 'failed',
    name: 'Failed',
    outcome: ['FAILED', 'APP_ERROR'],
    count: outcomes && outcomes.FAILED + outcomes.APP_ERROR,
  };
  const regressed: Show = {
    id: 'regressed',
    name: 'Regressed',
    change: ['REGRESSED'],
    count: facets?.changes.REGRESSED,
  };
  const unfinished = (outcomes?.RUNNING ?? 0) > 0;
  return [
    failed,
    ...(hasBefore ? [regressed] : []),
    { id: 'passed', name: 'Passed', outcome: ['PASSED'], count: outcomes?.PASSED },
    {
      id: 'none',
      name: 'No verdict',
      outcome: ['NO_VERDICT', 'NOT_RUN'],
      count: outcomes && outcomes.NO_VERDICT + outcomes.NOT_RUN,
    },
    ...(unfinished
      ? [{ id: 'running', name: 'Running', outcome: ['RUNNING' as const], count: outcomes?.RUNNING }]
      : []),
    { id: 'all', name: 'All', outcome: ALL_OUTCOMES, count: all },
  ];
}

/** Returns the tabs of two runs, or of several variants. */
export function changeShows(facets: ResultFacets | undefined): Show[] {
  const changes = facets?.changes;
  const all =
    changes &&
    changes.REGRESSED + changes.FIXED + changes.BOTH_FAILED + changes.BOTH_PASSED + changes.ONE_SIDE;
  return [
    {
      id: 'regressed',
      name: 'regressed',
      change: ['REGRESSED'],
      count: changes?.REGRESSED,
      detail: 'passed in A, failed in B',
    },
    {
      id: 'fixed',
      name: 'fixed',
      change: ['FIXED'],
      count: changes?.FIXED,
      detail: 'failed in A, passed in B',
    },
    { id: 'bothFailed', name: 'failed in both', change: ['BOTH_FAILED'], count: changes?.BOTH_FAILED },
    { id: 'bothPassed', name: 'passed in both', change: ['BOTH_PASSED'], count: changes?.BOTH_PASSED },
    {
      id: 'oneSide',
      name: 'in one run only',
      change: ['ONE_SIDE'],
      count: changes?.ONE_SIDE,
      detail: 'not compared',
    },
    { id: 'all', name: 'all', count: all },
  ];
}

/** Returns the tabs of the variants of an experiment; all are compared with the first. */
export function variantShows(facets: ResultFacets | undefined): Show[] {
  const changes = facets?.changes;
  const all =
    changes &&
    changes.REGRESSED + changes.FIXED + changes.BOTH_FAILED + changes.BOTH_PASSED + changes.ONE_SIDE;
  return [
    {
      id: 'differ',
      name: 'Variants differ',
      change: ['REGRESSED', 'FIXED'],
      count: changes && changes.REGRESSED + changes.FIXED,
    },
    { id: 'lost', name: 'A passed, another failed', change: ['REGRESSED'], count: changes?.REGRESSED },
    { id: 'won', name: 'A failed, another passed', change: ['FIXED'], count: changes?.FIXED },
    { id: 'allFailed', name: 'All failed', change: ['BOTH_FAILED'], count: changes?.BOTH_FAILED },
    { id: 'all', name: 'All', count: all },
  ];
}

/** Returns the tab that is shown: the chosen one, else the first with examples, else all. */
export function shownTab(shows: readonly Show[], chosen: string): Show {
  const found = shows.find(({ id }) => id === chosen);
  if (found) return found;
  const [first] = shows;
  const all = shows.at(-1) as Show;
  return first !== undefined && first.count !== 0 ? first : all;
}
