import type { Results } from '../../api/generated/schema.ts';

export type ShownResult = Results['data'][number];
export type ResultSide = ShownResult['sides'][number];
export type ResultColumn = Results['columns'][number];
export type ResultFacets = Results['facets'];

/** Key of a row: that of its example, or of its test where it has none. */
export const rowKey = ({ exampleId, sides }: ShownResult): string => exampleId ?? sides.at(-1)?.testId ?? '';

/** Returns what a row shows of one side; undefined where it was not tested. */
export const sideOf = ({ sides }: ShownResult, side: number): ResultSide | undefined =>
  sides.find((one) => one.side === side);

/** A verdict that says why a test did not pass, with the name of its evaluator. */
export interface Reason {
  name: string;
  text: string;
}

/** Returns the first reason why a side did not pass: of a blocking evaluator, if one failed. */
export function failureReason(side: ResultSide | undefined, columns: readonly ResultColumn[]): Reason | null {
  if (side === undefined || side.outcome === 'PASSED') return null;
  const failed = columns.flatMap(({ definitionId, name }) => {
    const found = side.verdicts.find((one) => one.definitionId === definitionId);
    return found?.passed === false ? [{ name, text: withoutCount(found.reason ?? 'did not pass') }] : [];
  });
  if (failed[0] && side.outcome === 'FAILED') return failed[0];
  return side.cause === null ? null : { name: '', text: side.cause.title };
}

/** Removes the number of checks at the beginning of a reason: the first failed check says more. */
const withoutCount = (reason: string): string => reason.replace(/^\d+ of \d+ hold; /, '');
