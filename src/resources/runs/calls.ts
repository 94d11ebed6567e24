import { queriesOf } from '../../storage/calls.ts';
import type { compareQueries } from './compare.ts';
import type { promptCallQueries } from './prompt-call-store.ts';
import type { runQueries } from './store.ts';

export const { compareRuns } = queriesOf<typeof compareQueries>();
export const { listRuns, getRun, findOpenWork } = queriesOf<typeof runQueries>();
export const { listPromptCalls } = queriesOf<typeof promptCallQueries>();
