import { json, nullable, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import type { StyleGuideContent } from './contract.ts';

export const styleGuides = versionedRecord('style_guide', 'style guide', {
  quickstartId: nullable(text),
  content: json<StyleGuideContent>(),
});
