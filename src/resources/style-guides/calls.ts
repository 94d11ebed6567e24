import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { styleGuideCommands, styleGuideQueries } from './store.ts';

export const { createStyleGuide, updateStyleGuide } = commandsOf<typeof styleGuideCommands>();
export const { getStyleGuide, listStyleGuides } = queriesOf<typeof styleGuideQueries>();
