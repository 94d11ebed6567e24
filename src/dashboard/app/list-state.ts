/** Rows of a full page. */
const PAGE_SIZE = 50;

/** Order and place of a list as its URL holds them: a column, with a minus in front for the last first, and the rows before the page. */
export interface ListState {
  sort: string;
  skip: string;
}

/** Order of a list as the API names it. `Column` is what the list can be ordered by; the server rejects other values of the URL. */
export const orderOf = <Column extends string>(sort: string) => ({
  orderBy: sort.replace('-', '') as Column,
  orderDir: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
});

/** Returns the parameters of a call that reads the page of a list. */
export const pageOf = <Column extends string>({ sort, skip }: ListState) => ({
  limit: PAGE_SIZE,
  skip: Number(skip) || 0,
  ...orderOf<Column>(sort),
});
