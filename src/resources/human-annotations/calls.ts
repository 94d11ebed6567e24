import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { humanAnnotationCommands, humanAnnotationQueries } from './store.ts';

export const { createHumanAnnotation, updateHumanAnnotation, deleteHumanAnnotation, forgetAskedCriteria } =
  commandsOf<typeof humanAnnotationCommands>();
export const { getHumanAnnotation, listHumanAnnotations } = queriesOf<typeof humanAnnotationQueries>();
