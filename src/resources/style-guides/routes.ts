import { recordRoutes } from '../../contract/record-routes.ts';
import type { Route } from '../../contract/route.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { createStyleGuide, getStyleGuide, listStyleGuides, updateStyleGuide } from './calls.ts';
import {
  changeOf,
  createStyleGuideBody,
  styleGuide,
  styleGuidesQuery,
  updateStyleGuideBody,
} from './contract.ts';
import { exampleStyleGuide } from './example.ts';

type StyleGuideDeps = StoreCalls;

export function styleGuideRoutes({ read, write, now }: StyleGuideDeps): Route[] {
  const styleGuides = recordRoutes({
    path: '/v0/style-guides',
    group: 'Style guides',
    record: styleGuide,
    example: exampleStyleGuide,
    now,
  });
  const tone = { heading: 'Tone', content: 'Friendly and short. No exclamation marks.' };
  return [
    styleGuides.create({
      operationId: 'createStyleGuide',
      summary: 'Create a style guide',
      description: 'Evaluation definitions of type `STYLE` evaluate against it.',
      body: createStyleGuideBody,
      example: {
        body: { content: [tone] },
        response: { ...exampleStyleGuide, content: [{ ...tone, approved: false }] },
      },
      errors: ['not_found'],
      handler: ({ fields, ...args }) =>
        write(createStyleGuide, { ...args, quickstartId: fields.quickstartId, change: changeOf(fields) }),
    }),
    styleGuides.list({
      operationId: 'listStyleGuides',
      summary: 'List style guides',
      query: styleGuidesQuery,
      handler: (args) => read(listStyleGuides, args),
    }),
    styleGuides.get({
      operationId: 'getStyleGuide',
      summary: 'Get a style guide',
      handler: (args) => read(getStyleGuide, args),
    }),
    styleGuides.update({
      operationId: 'updateStyleGuide',
      summary: 'Update a style guide',
      description:
        'A list as `content` replaces all sections. A text replaces the section with the same `heading`, or is added as a section.',
      body: updateStyleGuideBody,
      example: { content: exampleStyleGuide.content },
      errors: ['conflict'],
      handler: ({ given, ...args }) => write(updateStyleGuide, { ...args, change: changeOf(given) }),
    }),
  ];
}
