import type { ReactNode } from 'react';
import { useShortcuts } from '../app/shortcuts.ts';
import { formatWhole } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Menu, MenuCheck, MenuChoices, MenuGroup } from '../ui/menu.tsx';
import { ExportResults } from './export-results.tsx';
import { columnChoices, type GridLayout, withColumn } from './grid-columns.ts';
import type { GridState, Show } from './grid-state.ts';
import type { LoadedResults, GridQuery } from './use-results.ts';

interface GridToolbarProps {
  layout: GridLayout;
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
  ['', 'By cause', 'cause'],
  ['evaluator', 'By evaluator', 'evaluator'],
  ['topic', 'By topic', 'topic'],
  ['tag', 'By tag', 'tag'],
  ['subset', 'By subset', 'subset'],
  ['none', 'Not grouped', 'none'],
] as const;
const GROUP_CHOICES = GROUPS.map(([id, name]) => [id, name] as const);

/** Chooses what a grid shows, and how. */
export function GridToolbar(props: GridToolbarProps): ReactNode {
  const { layout, shows, show, state, onChange, results, isGrouped, query } = props;
  const cause = results.first.data?.facets.causes.find(({ key }) => key === state.cause);
  const all = shows.at(-1)?.count;
  const choices =
    layout === 'variants'
      ? []
      : columnChoices({ layout, columns: results.first.data?.columns ?? [] }, state.columns);
  const turnGroup = (): void => {
    const at = GROUPS.findIndex(([id]) => id === state.group);
    onChange({ group: GROUPS[(at + 1) % GROUPS.length]?.[0] ?? '', sort: '' });
  };
  useShortcuts(
    layout === 'run'
      ? [{ keys: 'g g', label: 'Group rows otherwise', group: 'Results', run: turnGroup }]
      : [],
  );
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
        <Menu
          trigger={
            <Button>Group: {(isGrouped && GROUPS.find(([id]) => id === state.group)?.[2]) || 'none'}</Button>
          }
        >
          <MenuChoices
            label="Group rows"
            value={state.group as ''}
            choices={GROUP_CHOICES}
            onChoose={(group) => onChange({ group, ...(group !== 'none' && { sort: '' }) })}
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
      {choices.length > 0 && (
        <Menu trigger={<Button>Columns</Button>}>
          <MenuGroup label="Columns">
            {choices.map(({ id, title, isHidden }) => (
              <MenuCheck
                key={id}
                isOn={!isHidden}
                onChange={(isOn) => onChange({ columns: withColumn(state.columns, id, isOn) })}
              >
                {title}
              </MenuCheck>
            ))}
          </MenuGroup>
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
