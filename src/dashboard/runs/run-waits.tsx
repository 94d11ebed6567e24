import type { ReactNode } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import { formatWhole } from '../format/number.ts';

/** Shows the judges that a run waits for, and until when. */
export function RunWaits({ waits }: { waits: NonNullable<Run['waitsFor']> }): ReactNode {
  return waits.map(({ judge, evals, requestsPerMinute, forecast }) => (
    <p key={judge} className="text-dim">
      {formatWhole(evals)} {evals === 1 ? 'verdict waits' : 'verdicts wait'} for the judge “{judge}”, which
      limits requests
      {requestsPerMinute !== null &&
        ` to about ${formatWhole(Math.max(1, Math.round(requestsPerMinute)))} a minute`}
      .{forecast !== null && ` Done at ${new Date(forecast).toLocaleTimeString()} at the earliest.`}
    </p>
  ));
}
