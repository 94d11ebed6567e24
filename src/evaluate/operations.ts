import { saveEvals } from './eval-store.ts';
import { dueFigures, saveFigures } from './figure-store.ts';
import { workOutFigures } from './figures.ts';

export const evaluateCommands = { saveEvals, saveFigures };
export const evaluateQueries = { dueFigures, workOutFigures };
