import { dates, ID, owner } from '../../contract/example-values.ts';
import type { StyleGuide } from './contract.ts';

export const exampleStyleGuide: StyleGuide = {
  id: ID.styleGuide,
  ...owner,
  ...dates,
  quickstartId: null,
  content: [{ heading: 'Tone', content: 'Friendly and short. No exclamation marks.', approved: true }],
};
