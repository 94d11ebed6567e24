import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean } from '../../contract/query.ts';
import { inForm } from '../../contract/text-forms.ts';
import { dateTime, shortText, uuid } from '../../contract/values.ts';

const type = z.enum(['CHATBOT', 'AGENT']);
const environment = z.enum(['DEV', 'PROD']);

export const application = namedObject('Application', {
  id: uuid,
  orgId: z.string(),
  title: z.string(),
  slug: z.string(),
  description: z.string(),
  context: z.string(),
  language: z.string(),
  type,
  environment,
  humanAnnotationEnabled: z.boolean(),
  createdAt: dateTime,
  modifiedAt: dateTime,
});
export type Application = z.infer<typeof application>;

const fields = {
  title: shortText,
  slug: z
    .string()
    .max(100)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens')
    .describe('Default: derived from the title.'),
  description: z.string().max(10_000),
  context: z.string().max(100_000).describe('Description of the application for judges.'),
  language: z.string().min(2).max(35).describe('Language tag, such as `en` or `pt-BR`.'),
  type,
  environment,
  humanAnnotationEnabled: z.boolean(),
};

export const createApplicationBody = z.object({
  ...z.object(fields).partial().required({ title: true, type: true }).shape,
  newOrganisation: z
    .boolean()
    .default(false)
    .describe(
      'True to create the application in a new organisation, where the operator allows it. Default: in that of the caller.',
    ),
});

export const applicationsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'title', 'slug', 'type', 'environment', 'id']),
  slug: z.string().max(100).optional(),
  type: type.optional(),
  environment: environment.optional(),
  humanAnnotationEnabled: queryBoolean.optional(),
});

/** Reports whether an application has the properties that a query requires. */
export const isWanted = (one: Application, query: z.output<typeof applicationsQuery>): boolean =>
  (['slug', 'type', 'environment', 'humanAnnotationEnabled'] as const).every(
    (field) => query[field] === undefined || query[field] === one[field],
  );

export const updateApplicationBody = z.object(fields).partial();

export type ApplicationFields = z.infer<z.ZodObject<typeof fields>>;
export type GivenFields = z.infer<typeof updateApplicationBody>;

/** Completes the fields of a new application with their defaults. */
export const withDefaults = (
  given: Pick<ApplicationFields, 'title' | 'type'> & GivenFields,
): ApplicationFields => ({
  title: given.title,
  slug: given.slug ?? slugOf(given.title),
  description: given.description ?? '',
  context: given.context ?? '',
  language: given.language ?? 'en',
  type: given.type,
  environment: given.environment ?? 'DEV',
  humanAnnotationEnabled: given.humanAnnotationEnabled ?? false,
});

function slugOf(title: string): string {
  const plain = inForm(title, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'application' : slug;
}
