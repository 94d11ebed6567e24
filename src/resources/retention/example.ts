import { AT } from '../../contract/example-values.ts';
import type { Retention } from './contract.ts';

export const exampleRetention: Retention = {
  days: 90,
  maxBytes: null,
  pinnedDays: 365,
  keptRunSets: 20,
  usage: {
    traces: 1_204_311,
    spans: 9_634_488,
    bytes: 6_734_507_112,
    bytesPerDay: 73_400_320,
    oldestDay: '2026-08-25',
    measuredAt: AT,
    isMeasuring: false,
  },
  due: { traces: 0, spans: 0, bytes: 0, before: '2026-08-25' },
  daysLeft: null,
  lastRun: { at: AT, deletedTraces: 13_381, deletedBytes: 74_827_856 },
  isOverBudget: false,
};
