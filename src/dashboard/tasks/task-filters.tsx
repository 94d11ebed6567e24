import type { ReactNode } from 'react';
import { useTags } from '../tags/use-tags.ts';
import { useTopics } from '../topics/use-topics.ts';
import { Button } from '../ui/button.tsx';
import { Choice, choicesOf, withChosen } from '../ui/choice.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { hasTaskFilter, TASK_FILTERS, type TaskFilters as Filters } from './task-query.ts';
import { LEVEL_NAMES, TASK_STATUS_NAMES } from './words.ts';

const RESULTS = [
  ['error', 'at most 50 %'],
  ['warning', 'above 50 %'],
  ['success', 'above 75 %'],
  ['no-tests', 'no tests'],
] as const;
const RHYTHMS = [
  ['HIGH', 'daily'],
  ['MEDIUM', 'weekly'],
  ['LOW', 'every two weeks'],
] as const;

interface TaskFiltersProps {
  filters: Filters;
  onChange: (patch: Partial<Filters>) => void;
}

export function TaskFilterBar({ filters, onChange }: TaskFiltersProps): ReactNode {
  const topics = useTopics().map(({ id, title }) => [id, title] as const);
  const tags = useTags().map(({ id, name }) => [id, name] as const);
  const choice = choicesOf(filters, onChange);
  return (
    <>
      <SearchBox
        label="Title or description"
        value={filters.search}
        onChange={(search) => onChange({ search })}
      />
      <Choice label="Topic" choices={withChosen(topics, filters.topic)} {...choice('topic')} />
      <Choice label="Tag" choices={withChosen(tags, filters.tag)} {...choice('tag')} />
      <Choice
        label="Status"
        anyText="Status: draft or active"
        choices={Object.entries(TASK_STATUS_NAMES)}
        {...choice('status')}
      />
      <Choice label="Pass rate" choices={RESULTS} {...choice('result')} />
      <Choice label="Consistency" choices={Object.entries(LEVEL_NAMES)} {...choice('stability')} />
      <Choice label="Schedule" choices={RHYTHMS} {...choice('schedule')} />
      {hasTaskFilter(filters) && (
        <Button look="quiet" onClick={() => onChange(TASK_FILTERS)}>
          Clear
        </Button>
      )}
    </>
  );
}
