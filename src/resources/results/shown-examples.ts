import type { SeenBy } from '../../contract/reviewer.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { shownTo } from '../../traces/withheld/store.ts';
import type { IndexedExample } from './result-index.ts';
import { defaultOrder } from './result-order.ts';
import type { LoadedSide } from './result-sides.ts';

/**
 * Returns examples as the caller may see them, in the default order: those whose tests the caller reviews blind have neither
 * outcome nor cause, so that no filter, order or count shows it. Returns the same list if nothing is withheld.
 */
export function shownExamples(
  database: Database,
  examples: readonly IndexedExample[],
  {
    application,
    seenBy,
    sides,
  }: { application: number; seenBy: SeenBy | undefined; sides: readonly LoadedSide[] },
): readonly IndexedExample[] {
  const hidden = hiddenTests(database, { application, seenBy, sides });
  if (hidden.size === 0) return examples;
  const isHidden = (side: IndexedExample['sides'][number]): boolean =>
    side !== null && hidden.has(side.testId);
  return defaultOrder(
    examples.map((example) =>
      example.sides.some(isHidden)
        ? {
            ...example,
            change: null,
            sides: example.sides.map((side) =>
              side && isHidden(side)
                ? { ...side, passed: 0, outcome: 'NO_VERDICT' as const, causeKey: null }
                : side,
            ),
          }
        : example,
    ),
  );
}

/** Returns the tests of sides that the caller reviews blind. */
export function hiddenTests(
  database: Database,
  {
    application,
    seenBy,
    sides,
  }: { application: number; seenBy: SeenBy | undefined; sides: readonly LoadedSide[] },
): ReadonlySet<string> {
  const shown = seenBy ? shownTo(database, { application, ...seenBy }) : null;
  if (shown === null) return new Set();
  const { sql, values } = shown.test('test.id');
  const rows = database.all<{ id: string }>(
    `SELECT test.id FROM test WHERE test.application = ? AND test.run_id IN ${valuesOf('?')} AND NOT ${sql}`,
    application,
    JSON.stringify(sides.flatMap(({ runIds }) => runIds)),
    ...values,
  );
  return new Set(rows.map(({ id }) => id));
}
