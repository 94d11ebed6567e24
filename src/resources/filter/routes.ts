import { type Route, route } from '../../contract/route.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { countFilterValues } from './calls.ts';
import { suggestions, suggestQuery } from './contract.ts';
import { completedField, placeInLine, suggestionsAt } from './suggest.ts';

export const filterRoutes = ({ read, now }: Pick<StoreCalls, 'read' | 'now'>): Route[] => [
  route({
    method: 'GET',
    path: '/v0/filter/suggest',
    operationId: 'suggestFilter',
    group: 'Views',
    summary: 'Suggest how a filter line continues',
    description:
      'Suggests fields, values with the number of matches, and words of inputs and outputs for the term at the cursor. docs/filters.md has the language.',
    scope: 'read',
    query: suggestQuery,
    response: suggestions,
    example: {
      response: {
        data: [{ kind: 'VALUE', insert: 'model:gpt-4o', hint: 'model that was called', count: 41 }],
        start: 0,
        end: 9,
      },
    },
    handler: async ({ principal: { application }, query: { screen, q, cursor = q.length } }) => {
      const place = placeInLine(q, cursor, screen);
      const completed = completedField(place);
      const field = completed ?? place.field?.name;
      const values =
        field === undefined
          ? []
          : await read(countFilterValues, {
              application,
              screen,
              filter: { terms: place.others, at: now() },
              field,
              key: place.key,
              written: completed && place.written,
            });
      return { data: suggestionsAt(place, values, screen), start: place.start, end: place.end };
    },
  }),
];
