import type { Case } from './case.ts';
import { TAG_CASES } from './cases/tags.ts';

export const CASES: Readonly<Record<string, readonly Case[]>> = {
  tags: TAG_CASES,
};
