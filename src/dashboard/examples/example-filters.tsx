import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Example, Pagination } from '../../api/generated/schema.ts';
import { Choice } from '../ui/choice.tsx';
import { Total } from '../ui/record-list.tsx';
import { SearchBox } from '../ui/search-box.tsx';

interface Filters {
  search: string;
  split: string;
  status: string;
}

interface ExampleFiltersProps {
  list: UseQueryResult<{ data: Example[]; pagination: Pagination }>;
  filters: Filters;
  onChange: (patch: Partial<Filters>) => void;
  /** Buttons at the right. */
  children: ReactNode;
}

/** The bar over a list of examples. */
export const ExampleFilters = ({ list, filters, onChange, children }: ExampleFiltersProps): ReactNode => (
  <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
    <SearchBox label="Input" value={filters.search} onChange={(search) => onChange({ search })} />
    <SplitBox
      key={filters.split}
      value={filters.split}
      known={[...new Set((list.data?.data ?? []).flatMap(({ split }) => split ?? []))]}
      onChange={(split) => onChange({ split })}
    />
    <Choice
      label="Status"
      anyText="Active examples"
      value={filters.status}
      choices={[
        ['ARCHIVED', 'Archived examples'],
        ['WRITTEN', 'Prompts written by a model'],
      ]}
      onChoose={(status) => onChange({ status })}
    />
    <Total of={list} what="example" />
    {children}
  </div>
);

interface SplitBoxProps {
  value: string;
  /** Splits to suggest: those of the rows in sight. */
  known: readonly string[];
  onChange: (split: string) => void;
}

function SplitBox({ value, known, onChange }: SplitBoxProps): ReactNode {
  const id = useId();
  const choose = (split: string): void => {
    if (split.trim() !== value) onChange(split.trim());
  };
  return (
    <>
      <input
        aria-label="Subset"
        placeholder="Subset: any"
        list={id}
        defaultValue={value}
        maxLength={64}
        className="h-[26px] w-[130px] rounded-md border border-edge bg-page px-2.5 text-ink"
        onBlur={({ target }) => choose(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && choose(currentTarget.value)}
      />
      <datalist id={id}>
        {known.map((split) => (
          <option key={split} value={split} />
        ))}
      </datalist>
    </>
  );
}
