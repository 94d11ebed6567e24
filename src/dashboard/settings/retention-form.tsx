import { type ReactNode, useDeferredValue } from 'react';
import type { Retention } from '../../api/generated/schema.ts';
import { useScope, useSession } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';
import { formatBytes, formatWhole } from '../format/number.ts';
import { formatAgo } from '../format/time.ts';
import { ErrorLine } from '../ui/error-panel.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Metric } from '../ui/metric.tsx';
import { Loaded } from '../ui/panel.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';

const GB = 1e9;
const NOT_MEASURED = 'Measured every hour in which something arrives';

/** Limits as a person types them; an empty text is no limit. */
interface Typed {
  days: string;
  /** Number of GB. */
  maxBytes: string;
  pinnedDays: string;
}

/** Shows and changes how long traces are kept, and what they use. */
export function RetentionForm(): ReactNode {
  const record = useApi('/v0/retention', {});
  return (
    <Loaded of={record} isFlush>
      {({ data }) => (
        <div className="grid max-w-[760px] gap-4 p-4">
          <Usage retention={data} />
          <Fields key={JSON.stringify(typed(data))} retention={data} />
        </div>
      )}
    </Loaded>
  );
}

const typed = ({ days, maxBytes, pinnedDays }: Retention): Typed => ({
  days: days === null ? '' : String(days),
  maxBytes: maxBytes === null ? '' : String(maxBytes / GB),
  pinnedDays: String(pinnedDays),
});

function Usage({
  retention: { usage, daysLeft, lastRun, isOverBudget },
}: {
  retention: Retention;
}): ReactNode {
  const isMeasured = usage.measuredAt !== null;
  return (
    <>
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
        <Metric title="Traces" value={isMeasured ? formatWhole(usage.traces) : null}>
          {isMeasured ? `${formatWhole(usage.spans)} spans` : NOT_MEASURED}
        </Metric>
        <Metric title="Use" value={isMeasured ? formatBytes(usage.bytes) : null}>
          {usage.oldestDay === null ? null : `Since ${usage.oldestDay}`}
        </Metric>
        <Metric title="Growth" value={isMeasured ? `${formatBytes(usage.bytesPerDay)} a day` : null}>
          Mean of the last 7 complete days
        </Metric>
        <Metric title="Limit is reached" value={daysLeft === null ? null : `in ${Math.floor(daysLeft)} days`}>
          {daysLeft === null ? 'Without a limit in GB, or without growth' : 'Then the oldest traces go'}
        </Metric>
      </dl>
      {isOverBudget && (
        <p className="text-fail">
          The traces beyond the limit are all pinned, so that none of them can be deleted. Raise the limit, or
          keep pinned traces for a shorter time.
        </p>
      )}
      {lastRun !== null && (
        <p className="text-dim">
          {formatAgo(lastRun.at)}, {formatWhole(lastRun.deletedTraces)} traces with{' '}
          {formatBytes(lastRun.deletedBytes)} were deleted.
        </p>
      )}
    </>
  );
}

function Fields({ retention }: { retention: Retention }): ReactNode {
  const isAdmin = useScope('admin');
  const { application } = useSession();
  const draft = useDraft(typed(retention));
  const save = useAction(
    ['/v0/retention'],
    (api, body: Limits) => api.PUT('/v0/retention', { body }),
    () => announce('Retention saved'),
  );
  const ofServer = fieldsOf(draft, save.error, !isAdmin);
  const field = (name: keyof Typed) => {
    const props = ofServer(name);
    return { ...props, problem: problemOf(draft.values[name]) ?? props.problem };
  };
  const isValid = Object.values(draft.values).every((text: string) => problemOf(text) === undefined);
  return (
    <Form className="grid gap-4" onSubmit={() => save.mutate(limitsOf(draft.values))}>
      <div className="grid grid-cols-1 gap-4 md:grid-cols-3">
        <TextField
          label="Days"
          inputMode="numeric"
          help="From the day on which a trace arrived. Empty: without limit."
          {...field('days')}
        />
        <TextField
          label="GB"
          inputMode="decimal"
          help="What traces may use; beyond it the oldest go. Empty: without limit."
          {...field('maxBytes')}
        />
        <TextField
          label="Days of pinned traces"
          inputMode="numeric"
          help="For which reviewed traces and those of current tests are kept beyond both limits."
          {...field('pinnedDays')}
        />
      </div>
      <WouldGo values={draft.values} hasChanges={draft.hasChanges} />
      <ErrorLine error={save.error} />
      <SaveBar
        draft={draft}
        isSaving={save.isPending}
        reason={reasonFor(isAdmin, isValid)}
        id={application.id}
      />
    </Form>
  );
}

function reasonFor(isAdmin: boolean, isValid: boolean): string | null {
  if (!isAdmin) return 'Only administrators can change retention.';
  return isValid ? null : 'A limit is not a number.';
}

/** Says what is wrong with a limit that is no number: sent as JSON, it would be no limit. */
const problemOf = (text: string): string | undefined =>
  text.trim() === '' || Number(text) >= 0 ? undefined : 'Must be a number.';

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

type Limits = ReturnType<typeof limitsOf>;

/** Returns the body of the call. */
const limitsOf = ({ days, maxBytes, pinnedDays }: Typed) => {
  const gigabytes = numberOf(maxBytes);
  return {
    days: numberOf(days),
    maxBytes: gigabytes === null ? null : Math.round(gigabytes * GB),
    pinnedDays: numberOf(pinnedDays) ?? 0,
  };
};

/** Says what the limits in the form delete, before they are saved. */
function WouldGo({ values, hasChanges }: { values: Typed; hasChanges: boolean }): ReactNode {
  const { days, maxBytes } = limitsOf(useDeferredValue(values));
  const query = {
    ...(days !== null && days >= 1 && { days }),
    ...(maxBytes !== null && maxBytes >= 16 * 1024 * 1024 && { maxBytes }),
  };
  const dryRun = useApi('/v0/retention', { query }, { keepsRows: true });
  const due = dryRun.data?.data.due;
  if (Object.keys(query).length === 0 || due === undefined) return null;
  const what =
    due.traces === 0
      ? 'delete nothing now'
      : `delete ${formatWhole(due.traces)} traces with ${formatWhole(due.spans)} spans (${formatBytes(due.bytes)}) now, except pinned ones`;
  return (
    <p role="status" className={due.traces > 0 && hasChanges ? 'text-fail' : 'text-dim'}>
      These limits {what}.
    </p>
  );
}
