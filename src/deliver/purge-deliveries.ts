import { noBytes } from '../storage/dialect.ts';
import type { Database } from '../storage/database.ts';
import { withoutQuote } from '../tests/message-quote.ts';
import { removeRows, type StepBudget } from '../traces/purge-step.ts';

/**
 * Deletes the bodies of a test's deliveries, the headers of responses and quotes, which repeat texts of its trace. The deliveries
 * remain; one in progress stores no texts when it ends.
 */
export function purgeDeliveries(
  database: Database,
  { application, testId }: { application: number; testId: string },
  budget: StepBudget,
): boolean {
  return removeRows<{ id: string }>(
    database,
    {
      sql: `SELECT id, length(request_body) + coalesce(length(response_body), 0) + coalesce(length(response_headers), 0) AS bytes FROM delivery
            WHERE application = ? AND test_id = ? AND (length(request_body) > 0 OR response_headers IS NOT NULL)`,
      values: [application, testId],
    },
    budget,
    ({ id }) =>
      database.run(
        `UPDATE delivery SET request_body = ${noBytes}, response_headers = NULL, response_body = NULL, message = ${withoutQuote('message')}
         WHERE application = :application AND id = :id`,
        { application, id },
      ),
  );
}
