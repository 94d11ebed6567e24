import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { inferenceStepCommands, inferenceStepQueries } from './store.ts';

export const { createInferenceStep } = commandsOf<typeof inferenceStepCommands>();
export const { getInferenceStep, listInferenceSteps } = queriesOf<typeof inferenceStepQueries>();
