import { type ReactNode, useState } from 'react';
import type { Issue, IssueCounts } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { pageOf } from '../app/list-state.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { formatWhole } from '../format/number.ts';
import { useTopics } from '../topics/use-topics.ts';
import { Button } from '../ui/button.tsx';
import { Choice, choicesOf, withChosen } from '../ui/choice.tsx';
import { ListPage } from '../ui/list-page.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { Empty } from '../ui/states.tsx';
import { useWriteButtons } from '../ui/write-buttons.tsx';
import { issueColumns } from './columns.tsx';
import { IssueTabs } from './issue-tabs.tsx';
import { NewIssueDialog } from './new-issue-dialog.tsx';
import { IssueParetoChart } from './pareto.tsx';
import { ReopenedIssues } from './reopened.tsx';
import { underParents } from './under-parents.ts';
import { useEvaluatorNames } from './use-evaluator-names.ts';
import { ISSUE_SOURCE_NAMES, ISSUE_STATUS_NAMES, PRIORITY_NAMES } from './words.ts';

const ALL = 'all';
const FILTERS = { status: 'OPEN', search: '', priority: '', topic: '', source: '' };
const DEFAULTS = { ...FILTERS, sort: '-lastSeenAt', skip: '0' };
type Filters = typeof FILTERS;
type SortColumn = 'lastSeenAt' | 'priority' | 'linkCount' | 'number';

/** Lists the problems of the app: the open ones first of all. */
export function IssuesPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const [isNew, setNew] = useState(false);
  const list = useApi('/v0/issues', { query: queryOf(state) }, { keepsRows: true });
  const topics = new Map(useTopics().map(({ id, title }) => [id, title]));
  const evaluators = useEvaluatorNames();
  const button = useWriteButtons([{ title: 'New issue', keys: 'n', run: () => setNew(true) }]);
  const filter = (patch: Partial<Filters>): void => change({ ...patch, skip: '0' });
  const counts = list.data?.counts;
  const isFiltered = (Object.keys(FILTERS) as (keyof Filters)[]).some(
    (name) => state[name] !== FILTERS[name],
  );
  const rows = list.data?.data ?? [];
  const isStart = !isFiltered && state.skip === DEFAULTS.skip;
  const shown = list.data && { ...list.data, data: underParents(list.data.data) };
  return (
    <ListPage
      title="Issues"
      tabs={<IssueTabs current="issues" />}
      actions={button}
      filters={<IssueFilters state={state} counts={counts} topics={topics} onChange={filter} />}
      above={
        isStart && (
          <>
            <IssueParetoChart />
            <ReopenedIssues />
          </>
        )
      }
      of={{ ...list, data: shown }}
      what="issue"
      columns={issueColumns({ topics, evaluators, rows })}
      href={({ number }) => `/issues/${number}`}
      state={state}
      onChange={change}
      onClear={isFiltered ? () => filter({ ...FILTERS, status: ALL }) : undefined}
      empty={
        counts !== undefined && counts.resolved + counts.rejected > 0 ? (
          <Empty title="No issue is open">
            <div>
              <Button onClick={() => filter({ status: ALL })}>Show all issues</Button>
            </div>
          </Empty>
        ) : (
          <NoIssues button={button} />
        )
      }
    >
      {isNew && <NewIssueDialog onClose={() => setNew(false)} />}
    </ListPage>
  );
}

function queryOf({ status, search, priority, topic, source, ...page }: typeof DEFAULTS) {
  return {
    ...pageOf<SortColumn>(page),
    ...(status !== ALL && { status: [status as Issue['status']] }),
    ...(search !== '' && { search }),
    ...(priority !== '' && { priority: [priority as Issue['priority']] }),
    ...(topic !== '' && { topicId: [topic] }),
    ...(source !== '' && { source: [source as Issue['source']] }),
  };
}

const NoIssues = ({ button }: { button: ReactNode }): ReactNode => (
  <Empty title="No issues yet">
    <p>
      An issue is a problem of the app with the traces that show it. It begins with one of them: select rows
      in{' '}
      <AppLink href="/traces" className="text-accent underline">
        Traces
      </AppLink>{' '}
      or in the results of a run, and choose “Add to issue”. Notes that people write on traces are put into
      issues under{' '}
      <AppLink href="/issues/group" className="text-accent underline">
        Notes without an issue
      </AppLink>
      .
    </p>
    <p>
      To learn how often a problem occurs,{' '}
      <AppLink href="/review" className="text-accent underline">
        review a random sample
      </AppLink>
      : only that gives a rate.
    </p>
    <div>{button}</div>
  </Empty>
);

interface IssueFiltersProps {
  state: Filters;
  counts: IssueCounts | undefined;
  topics: ReadonlyMap<string, string>;
  onChange: (patch: Partial<Filters>) => void;
}

function IssueFilters({ state, counts, topics, onChange }: IssueFiltersProps): ReactNode {
  const choice = choicesOf(state, onChange);
  return (
    <>
      <StatusButtons value={state.status} counts={counts} onChoose={(status) => onChange({ status })} />
      <SearchBox
        label="Title or description"
        value={state.search}
        onChange={(search) => onChange({ search })}
      />
      <Choice label="Priority" choices={Object.entries(PRIORITY_NAMES)} {...choice('priority')} />
      <Choice label="Topic" choices={withChosen([...topics], state.topic)} {...choice('topic')} />
      <Choice label="Source" choices={Object.entries(ISSUE_SOURCE_NAMES)} {...choice('source')} />
      {counts !== undefined && counts.openHigh > 0 && (
        <span className="text-dim">{formatWhole(counts.openHigh)} open of high priority</span>
      )}
    </>
  );
}

interface StatusButtonsProps {
  value: string;
  counts: IssueCounts | undefined;
  onChoose: (status: string) => void;
}

/** Chooses the status of the issues that are listed, with the number of each. */
function StatusButtons({ value, counts, onChoose }: StatusButtonsProps): ReactNode {
  const { open, resolved, rejected } = counts ?? { open: null, resolved: null, rejected: null };
  const all = open === null ? null : open + resolved + rejected;
  const choices = [
    ['OPEN', ISSUE_STATUS_NAMES.OPEN, open],
    ['RESOLVED', ISSUE_STATUS_NAMES.RESOLVED, resolved],
    ['REJECTED', ISSUE_STATUS_NAMES.REJECTED, rejected],
    [ALL, 'All', all],
  ] as const;
  return (
    <div role="group" aria-label="Status" className="flex flex-wrap gap-1">
      {choices.map(([status, name, count]) => (
        <Button
          key={status}
          look={status === value ? 'chosen' : 'plain'}
          aria-pressed={status === value}
          onClick={() => onChoose(status)}
        >
          {name}
          {count !== null && ` ${formatWhole(count)}`}
        </Button>
      ))}
    </div>
  );
}
