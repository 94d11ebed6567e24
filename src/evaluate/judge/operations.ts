import { findJudgeCall, judgeCosts, judgeCostsByOrganisation, storeJudgeCall } from './call-store.ts';

export const judgeCommands = { storeJudgeCall };
export const judgeQueries = { findJudgeCall, judgeCosts, judgeCostsByOrganisation };
