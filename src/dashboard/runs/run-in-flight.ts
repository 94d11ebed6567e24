import type { Run } from '../../api/generated/schema.ts';

export const isRunInFlight = ({ tests: { pending, inProgress } }: Pick<Run, 'tests'>): boolean =>
  pending + inProgress > 0;
