import type { ReactNode } from 'react';
import { useTags } from '../tags/use-tags.ts';
import { useTopics } from '../topics/use-topics.ts';
import { Button } from '../ui/button.tsx';
import { Choice, withChosen } from '../ui/choice.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { hasTaskFilter, TASK_FILTERS, type TaskFilters as Filters } from './task-query.ts';
import { LEVEL_NAMES, STATUS_NAMES } from './words.ts';

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

export function TaskFilters({ filters, onChange }: TaskFiltersProps): ReactNode {
  const topics = useTopics().map(({ id, title }) => [id, title] as const);
  const tags = useTags().map(({ id, name }) => [id, name] as const);
  const { search, topic, tag, status, result, stability, schedule } = filters;
  return (
    <>
      <SearchBox
        label="Title or description"
        value={search}
        onChange={(text) => onChange({ search: text })}
      />
      <Choice
        label="Topic"
        value={topic}
        choices={withChosen(topics, topic)}
        onChoose={(next) => onChange({ topic: next })}
      />
      <Choice
        label="Tag"
        value={tag}
        choices={withChosen(tags, tag)}
        onChoose={(next) => onChange({ tag: next })}
      />
      <Choice
        label="Status"
        anyText="Status: draft or active"
        value={status}
        choices={Object.entries(STATUS_NAMES)}
        onChoose={(next) => onChange({ status: next })}
      />
      <Choice
        label="Pass rate"
        value={result}
        choices={RESULTS}
        onChoose={(next) => onChange({ result: next })}
      />
      <Choice
        label="Stability"
        value={stability}
        choices={Object.entries(LEVEL_NAMES)}
        onChoose={(next) => onChange({ stability: next })}
      />
      <Choice
        label="Schedule"
        value={schedule}
        choices={RHYTHMS}
        onChoose={(next) => onChange({ schedule: next })}
      />
      {hasTaskFilter(filters) && (
        <Button look="quiet" onClick={() => onChange(TASK_FILTERS)}>
          Clear
        </Button>
      )}
    </>
  );
}
