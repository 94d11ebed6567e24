import type { Request } from './case.ts';
import type { Scenario } from './harness.ts';

type Entry = Readonly<Record<string, string | null>> & { readonly id: string };

/** Neighbours in the wrong order: what is null comes last in both directions, ties go by id. */
function outOfOrder(
  entries: readonly Entry[],
  [field, direction]: readonly [string, 'asc' | 'desc'],
): string[] {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (one: string | null | undefined, other: string | null | undefined): number =>
    one === other ? 0 : one === null ? sign : other === null ? -sign : String(one) < String(other) ? -1 : 1;
  return entries.slice(1).flatMap((entry, i) => {
    const before = entries[i] as Entry;
    const order = compare(before[field], entry[field]) || compare(before.id, entry.id);
    return order * sign < 0 ? [] : [`${shownIn(before, field)} is before ${shownIn(entry, field)}`];
  });
}

const shownIn = (entry: Entry, field: string): string => `${String(entry[field])} (${entry.id})`;

/** What is wrong with the order of a list, or with its pages of two. */
export async function unsorted(
  scenario: Scenario,
  request: Request['request'],
  sorted: readonly [field: string, direction: 'asc' | 'desc'],
): Promise<string[]> {
  const list = async (query: string): Promise<Entry[]> => {
    const joined = `${request}${request.includes('?') ? '&' : '?'}${query}` as const;
    return ((await scenario.call({ request: joined })).json as { data: Entry[] }).data;
  };
  const whole = await list('limit=100');
  const pages: Entry[] = [];
  for (let skip = 0; skip < whole.length; skip += 2) pages.push(...(await list(`limit=2&skip=${skip}`)));
  const ids = (entries: readonly Entry[]): string => entries.map(({ id }) => id).join();
  return [
    ...(whole.length < 3 ? [`${whole.length} entries prove no order`] : []),
    ...(ids(pages) === ids(whole) ? [] : [`pages say ${ids(pages)}, the whole list ${ids(whole)}`]),
    ...outOfOrder(whole, sorted),
  ];
}
