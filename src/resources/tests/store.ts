import type { ListOf } from '../../contract/paging.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import { isoTime } from '../../contract/values.ts';
import type { Database } from '../../storage/database.ts';
import { testContent } from '../../tests/content.ts';
import { listedTests, shownTests } from '../../tests/record.ts';
import type { TestPhase } from '../../tests/states.ts';
import { evalsOfTest } from '../evals/record.ts';
import { diagnoseTest } from './diagnosis.ts';
import { type TestsFilter, testsThat } from './filter.ts';
import { shownInList, testSummaries, withTaskAndTrace } from './listed-tests.ts';
import type { ListedTest, Test, TestsQuery } from './contract.ts';

/** Most events of one test; limits a test that is reopened again and again. */
const MAX_EVENTS = 1_000;

/** Page of the tests that meet a filter. */
type TestsList = TestsFilter & Pick<TestsQuery, 'skip' | 'limit' | 'orderBy' | 'orderDir'>;

function listTests(
  database: Database,
  { owner, query }: { owner: Owner; query: TestsList },
): ListOf<ListedTest> {
  const where = testsThat(database, owner.application, query);
  const { data, pagination } = listedTests.list(database, owner, { where, page: query });
  return { data: shownInList(database, owner, data), pagination };
}

/** Returns a test; throws `not_found`. */
function getTest(database: Database, { owner, id }: ById): Test {
  const record = shownTests.require(database, owner.application, id);
  const [test] = withTaskAndTrace(database, owner, testSummaries(database, owner, [record]));
  return {
    ...(test as Test),
    advice: null,
    timeline: timeline(database, owner.application, id),
    ...testContent(database, { application: owner.application, testId: id }),
    evals: evalsOfTest(database, owner, id),
  };
}

function timeline(database: Database, application: number, id: string): Test['timeline'] {
  return database
    .all<{ at: number; phase: TestPhase; detail: string }>(
      'SELECT at, phase, detail FROM test_event WHERE application = :application AND test_id = :id ORDER BY id LIMIT :limit',
      { application, id, limit: MAX_EVENTS },
    )
    .map((event) => ({ ...event, at: isoTime(event.at) }));
}

export interface TestNews {
  /** Id of the newest event of the test; 0 when there is none. */
  eventId: number;
  /** The test; null when nothing has happened since the last seen event. */
  test: Test | null;
}

/** Returns the test if an event followed the event `seen` (null: no event was seen). Throws `not_found`. */
function getTestNews(database: Database, { owner, id, seen }: ById & { seen: number | null }): TestNews {
  const newest = database.get<{ eventId: number | null }>(
    'SELECT max(id) AS eventId FROM test_event WHERE application = :application AND test_id = :id',
    { application: owner.application, id },
  );
  const eventId = newest?.eventId ?? 0;
  return { eventId, test: eventId === seen ? null : getTest(database, { owner, id }) };
}

export const testQueries = { listTests, getTest, getTestNews, diagnoseTest };
