import { json, nullable, text } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';
import type { StyleGuideContent } from './contract.ts';

export const styleGuides = record('style_guide', 'style guide', {
  quickstartId: nullable(text),
  content: json<StyleGuideContent>(),
});
