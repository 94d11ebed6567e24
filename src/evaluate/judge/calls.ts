import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { judgeCommands, judgeQueries } from './operations.ts';

export const { storeJudgeCall } = commandsOf<typeof judgeCommands>();
export const { findJudgeCall, judgeCosts, judgeCostsByOrganisation } = queriesOf<typeof judgeQueries>();
