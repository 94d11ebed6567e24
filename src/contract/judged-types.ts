/** Types of definitions that need a judge model. */
export const JUDGED_TYPES = [
  'NATURALNESS',
  'STYLE',
  'RECALL',
  'FACT',
  'CUSTOM',
  'TOXICITY',
  'SIMILARITY',
  'CONVERSATION',
  'PAIRWISE',
] as const;

const judged: ReadonlySet<string> = new Set(JUDGED_TYPES);

/** Reports whether a definition of the type needs a judge model. */
export const isJudgedType = (type: string): boolean => judged.has(type);
