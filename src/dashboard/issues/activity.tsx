import { type ReactNode, useState } from 'react';
import type { Issue, IssueEvent } from '../../api/generated/schema.ts';
import { readNewest } from '../api/read-newest.ts';
import { useCall } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { Moment } from '../ui/cells.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { measuredText } from './measure-button.tsx';
import { ShowEarlier } from '../ui/show-earlier.tsx';

/** Events that are shown at first, and that one click adds. */
const EVENTS_STEP = 50;

/** Shows who did what to an issue, the newest first. */
export function IssueActivity({
  issue,
}: {
  issue: Pick<Issue, 'number' | 'modifiedAt' | 'linkCount'>;
}): ReactNode {
  const { number, modifiedAt, linkCount } = issue;
  const [count, setCount] = useState(EVENTS_STEP);
  const path = { id: String(number) };
  const events = useCall(
    '/v0/issues/{id}/activity',
    { path, query: { count } },
    (api, signal) =>
      readNewest(count, (page) =>
        api.GET('/v0/issues/{id}/activity', {
          params: { path, query: { ...page, orderBy: 'createdAt', orderDir: 'desc' } },
          signal,
        }),
      ),
    { version: `${modifiedAt} ${linkCount}`, keepsRows: true },
  );
  return (
    <Section title="Activity">
      <Loaded of={events}>
        {({ data, pagination }) => (
          <>
            <ul aria-label="Activity">
              {data.map((event) => (
                <li key={event.id} className="border-t border-line py-1.5 [overflow-wrap:anywhere]">
                  <Moment at={event.createdAt} /> <b className="font-semibold">{event.by.name}</b>{' '}
                  <EventText event={event} />
                  {event.reason !== null && <p className="whitespace-pre-wrap text-dim">“{event.reason}”</p>}
                </li>
              ))}
            </ul>
            <ShowEarlier
              shown={data.length}
              total={pagination.total}
              step={EVENTS_STEP}
              isBusy={events.isFetching}
              what="events"
              onMore={() => setCount(count + EVENTS_STEP)}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function EventText({ event }: { event: IssueEvent }): ReactNode {
  const { kind, fields, count, withoutEvidence, issue, relapse, measured, withheld } = event;
  const traces = `${formatWhole(count ?? 0)} ${count === 1 ? 'trace' : 'traces'}`;
  switch (kind) {
    case 'CREATED':
      return 'created the issue';
    case 'UPDATED':
      return `changed ${fields.map((name) => FIELD_NAMES[name] ?? name).join(', ')}`;
    case 'LINKED':
      return `linked ${traces}`;
    case 'UNLINKED':
      return `removed ${traces}`;
    case 'RESOLVED':
      return withoutEvidence ? (
        <>
          resolved it <span className="text-doubt">without evidence</span>
        </>
      ) : (
        'resolved it with all evidence'
      );
    case 'REOPENED':
      return (
        <>
          opened it again
          {relapse !== null && <RelapseText relapse={relapse} />}
          {withheld === true && ' (the evidence is withheld while you review)'}
        </>
      );
    case 'REJECTED':
      return 'rejected it';
    case 'MERGED':
      return issue === null ? (
        'merged it'
      ) : (
        <>
          merged {issue.isTarget ? 'it into' : 'into it'}{' '}
          <AppLink href={`/issues/${issue.number}`} className="text-accent underline">
            #{issue.number}
          </AppLink>
        </>
      );
    case 'MEASURED':
      return measured === null ? (
        'measured the evaluator'
      ) : (
        <>
          measured version {measured.version} of the evaluator: it {measuredText(measured)}
        </>
      );
    default:
      return '';
  }
}

const oneDecimal = (value: number): string => value.toFixed(1);

/** Says which evidence opened an issue again. */
function RelapseText({ relapse }: { relapse: NonNullable<IssueEvent['relapse']> }): ReactNode {
  const { kind, count, of, rate, low, high, testId, since } = relapse;
  if (kind === 'LIVE_RATE')
    return (
      <>
        : {rate !== null && `${oneDecimal(rate)} % of live responses have the problem`}
        {low !== null && high !== null && ` (95 % interval ${oneDecimal(low)} to ${oneDecimal(high)} %)`};{' '}
        {formatWhole(count)} of {formatWhole(of)} live verdicts failed since <Moment at={since} />
      </>
    );
  return (
    <>
      : a regression example failed in {formatWhole(count)} of {formatWhole(of)} {of === 1 ? 'run' : 'runs'}
      {testId !== null && (
        <>
          , last in{' '}
          <AppLink href={`/tests/${testId}`} className="text-accent underline">
            this test
          </AppLink>
        </>
      )}
    </>
  );
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  title: 'the title',
  description: 'the description',
  type: 'the type',
  priority: 'the priority',
  parentId: 'the issue that it is a part of',
  taskId: 'the task',
  topicId: 'the topic',
  evalDefinitionId: 'the evaluator',
  experimentId: 'the experiment',
  ownerId: 'the owner',
  match: 'the filter line',
};
