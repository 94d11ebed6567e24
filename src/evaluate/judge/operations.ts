import { findJudgeCall, judgeCosts, storeJudgeCall } from './call-store.ts';

export const judgeCommands = { storeJudgeCall };
export const judgeQueries = { findJudgeCall, judgeCosts };
