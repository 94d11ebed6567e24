import type { ReactNode } from 'react';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Menu, MenuChoices } from '../ui/menu.tsx';
import { ExportResults } from './export-results.tsx';
import type { GridState, Show } from './grid-state.ts';
import type { LoadedResults, GridQuery } from './use-results.ts';

interface GridToolbarProps {
  layout: string;
  shows: readonly Show[];
  show: Show;
  state: GridState;
  onChange: (patch: Partial<GridState>) => void;
  results: LoadedResults;
  isGrouped: boolean;
  query: GridQuery;
}

const ROWS = [
  ['1', 'One line'],
  ['2', 'Two lines'],
  ['full', 'Full text'],
] as const;
const GROUPS = [
  ['', 'By cause'],
  ['none', 'Not grouped'],
] as const;

/** Chooses what a grid shows, and how. */
export function GridToolbar(props: GridToolbarProps): ReactNode {
  const { layout, shows, show, state, onChange, results, isGrouped, query } = props;
  const cause = results.first.data?.facets.causes.find(({ key }) => key === state.cause);
  const all = shows.at(-1)?.count;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-y border-line px-4 py-1.5">
      <div
        role="group"
        aria-label="Show"
        className="flex max-w-full overflow-x-auto rounded-md border border-edge"
      >
        {shows.map((one) => (
          <button
            key={one.id}
            type="button"
            aria-pressed={one.id === show.id}
            title={one.detail}
            className={classNames(
              'h-[26px] shrink-0 cursor-pointer border-l border-edge px-2.5 whitespace-nowrap first:border-l-0 hover:bg-panel',
              one.id === show.id && 'bg-selection font-semibold text-accent hover:bg-selection',
            )}
            onClick={() => onChange({ show: one.id, cause: '', open: '' })}
          >
            {one.name} {one.count === undefined ? '' : formatWhole(one.count)}
          </button>
        ))}
      </div>
      {state.cause !== '' && (
        <Button look="chosen" onClick={() => onChange({ cause: '' })} className="max-w-[320px]">
          <span className="truncate">{cause?.title ?? 'One cause'}</span>
          <span aria-hidden="true">×</span>
          <span className="sr-only">: show all causes</span>
        </Button>
      )}
      {layout === 'run' && (
        <Menu trigger={<Button>{isGrouped ? 'Group: cause' : 'Group: none'}</Button>}>
          <MenuChoices
            label="Group rows"
            value={state.group as ''}
            choices={GROUPS}
            onChoose={(group) => onChange({ group, ...(group === '' && { sort: '' }) })}
          />
        </Menu>
      )}
      {layout !== 'variants' && (
        <Menu
          trigger={
            <Button>Rows: {ROWS.find(([id]) => id === state.rows)?.[1].toLowerCase() ?? 'two lines'}</Button>
          }
        >
          <MenuChoices
            label="Text of a row"
            value={state.rows as '2'}
            choices={ROWS}
            onChoose={(rows) => onChange({ rows })}
          />
        </Menu>
      )}
      <ExportResults query={query} />
      <span className="ml-auto text-dim" aria-live="polite">
        {results.first.data && all !== undefined
          ? `${formatWhole(results.total)} of ${formatWhole(all)}`
          : ''}
      </span>
    </div>
  );
}
