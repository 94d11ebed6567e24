import type { View } from '../../api/generated/schema.ts';

/** State of a screen with a list, as its URL holds it. */
export type ViewState = Readonly<Record<string, string>> & { readonly sort: string; readonly skip: string };
export type SavedState = Pick<View, 'filter' | 'columns' | 'sort'>;

/** Parameters of the address that are no filters. */
const NO_FILTERS = ['columns', 'sort', 'skip', 'live'];

const filterNames = (defaults: ViewState): string[] =>
  Object.keys(defaults).filter((name) => !NO_FILTERS.includes(name));

/** Returns what a view of this state saves. Values that equal their defaults are left out. */
export function savedState(state: ViewState, defaults: ViewState): SavedState {
  const filter = filterNames(defaults)
    .filter((name) => state[name] !== defaults[name])
    .map((name): [string, string[]] => [name, [state[name] ?? '']]);
  const { columns } = state;
  return {
    filter: Object.fromEntries(filter),
    columns: columns === undefined || columns === defaults['columns'] ? null : columns.split(','),
    sort: state.sort === defaults.sort ? null : state.sort,
  };
}

/** Returns the change of the address that opens a view. */
export function openedState<T extends ViewState>(view: SavedState, defaults: T): Partial<T> {
  const filter = filterNames(defaults).map((name) => [
    name,
    view.filter[name]?.join(' ') ?? defaults[name] ?? '',
  ]);
  const columns =
    defaults['columns'] === undefined ? {} : { columns: view.columns?.join(',') ?? defaults['columns'] };
  return {
    ...Object.fromEntries(filter),
    ...columns,
    sort: view.sort ?? defaults.sort,
    skip: '0',
  } as Partial<T>;
}

/** Reports whether the screen shows the view. */
export function isViewShown(view: SavedState, state: ViewState, defaults: ViewState): boolean {
  const opened = openedState(view, defaults);
  return Object.entries(opened).every(([name, value]) => name === 'skip' || state[name] === value);
}
