import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { paging } from '../../contract/paging.ts';
import { queryBoolean, searchText, several } from '../../contract/query.ts';
import { recordFields } from '../../contract/record-fields.ts';
import { nfc } from '../../contract/text-forms.ts';
import { givenTime, shortText, uuid } from '../../contract/values.ts';
import { documentType } from '../../contract/document-type.ts';
import { tag as tagRecord } from '../tags/contract.ts';
import { scrapeJob } from '../scrape-jobs/contract.ts';
import { VERSION_STATUSES } from './version-states.ts';

const status = z
  .enum(['DRAFT', 'ACTIVE'])
  .describe('Status of the document: only `ACTIVE` documents are split into chunks.');
const versionStatus = z
  .enum(VERSION_STATUSES)
  .describe(
    'Status of the version: from `DRAFT` to `REVIEW`, from there back or to `APPROVED`. Approving a version archives the one approved before.',
  );
/** Statuses of versions that no document has, so that one filter can name both. */
export const CURRENT_VERSION_STATUSES = ['REVIEW', 'APPROVED', 'ARCHIVED'] as const;
const metadata = z.record(z.string(), z.unknown());

export const MAX_CONTENT = 1024 * 1024;
export const MAX_TITLE = 512;
/** Limit of characters of metadata, because lists return a hundred versions in one body. */
const MAX_METADATA = 20_000;
export const PREVIEW = 1_000;

/** Schema of a version in lists, with short texts. */
export const versionEntry = namedObject('ListedDocumentVersion', {
  ...recordFields,
  title: z.string(),
  language: z.string().describe('Language tag, such as `en` or `pt-BR`.'),
  status: versionStatus,
  type: documentType,
  versionNumber: z.int().describe('Number of the version, from 1, in order of creation.'),
  documentId: uuid,
  content: z.string().describe('First 1000 characters.'),
  metadata: metadata.describe('An empty object if it has more than 1000 characters as JSON.'),
  originalSentences: z.array(z.string()).describe('Empty; get a single version for its sentences.'),
});
export type VersionEntry = z.input<typeof versionEntry>;

export const version = namedObject('DocumentVersion', {
  ...versionEntry.shape,
  content: z.string(),
  metadata,
  originalSentences: z.array(z.string()).describe('First 1000 sentences of the content.'),
});
export type Version = z.input<typeof version>;

const fields = {
  ...recordFields,
  type: documentType,
  optimized: z.boolean(),
  isVerified: z.boolean(),
  status,
  title: z.string().describe('Value of the approved version, or of the newest while none is approved.'),
  assignee: z.string().nullable().describe('Identifier of the user who is responsible.'),
  scrapeJobId: uuid.nullable(),
  fileProcessingId: uuid.nullable().describe('Id of the upload that created it.'),
  topicId: uuid.nullable(),
  quickstartId: uuid.nullable(),
};

export const document = namedObject('Document', {
  ...fields,
  scrapeJob: scrapeJob
    .optional()
    .describe('Scrape job that created it, in the form of `GET /v0/scrape-jobs/{id}`.'),
  content: z.string().describe('Value of the version that the title is from.'),
  versions: z
    .array(version)
    .describe('Versions, newest first, up to 4 MiB of text; their own route lists all of them.'),
});
export type Document = z.input<typeof document>;

export const documentEntry = namedObject('ListedDocument', {
  ...fields,
  content: z.string().describe('First 1000 characters.'),
  versions: z.array(versionEntry).describe('The newest ten versions, with short texts.'),
  tags: z.array(tagRecord.pick({ id: true, name: true, color: true })).describe('Its tags, by name.'),
});
export type DocumentEntry = z.input<typeof documentEntry>;

/** Schema of the document that a version belongs to. */
export const documentHead = namedObject('DocumentHead', fields);
export type DocumentHead = z.input<typeof documentHead>;

const title = z.string().trim().min(1).max(MAX_TITLE).overwrite(nfc);
const content = z.string().max(MAX_CONTENT).regex(/\S/, 'must contain text');
const assignee = shortText.nullable();
const language = z
  .string()
  .max(35)
  .refine(isLanguageTag, { error: 'must be a language tag, such as en', params: { code: 'invalid_string' } });
const shortMetadata = metadata.refine((value) => JSON.stringify(value).length <= MAX_METADATA, {
  error: `must have at most ${MAX_METADATA} characters as JSON`,
  params: { code: 'too_big' },
});

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const sentences = z
  .array(z.string().max(10_000))
  .max(1_000)
  .describe('Sentences of the content. Default: found by the rules of its language.');

export const createDocumentBody = z.object({
  title,
  content,
  type: documentType.default('KNOWLEDGE'),
  status: z
    .enum(['DRAFT', 'REVIEW', 'ACTIVE', 'APPROVED'])
    .default('ACTIVE')
    .describe(
      'Status. The first version of a `DRAFT` document is a draft, that of an `ACTIVE` one is approved; `REVIEW` is a `DRAFT` whose version is in review, and `APPROVED` is another name of `ACTIVE`.',
    ),
  assignee: assignee.default(null),
  isVerified: z.boolean().default(false),
  topicId: uuid.nullable().default(null),
  quickstartId: uuid.nullable().default(null),
  language: language.optional().describe('Default: that of the application.'),
  metadata: shortMetadata.default({}),
  originalSentences: sentences.optional(),
  scrapeJobId: uuid.nullish().describe('Scrape job that the content is from.'),
});
export type DocumentFields = z.output<typeof createDocumentBody>;

export const updateDocumentBody = z
  .object({
    topicId: uuid.nullable().describe('Topic of the document; null removes it from its topic.'),
    assignee,
    isVerified: z.boolean(),
    status,
  })
  .partial();
export type GivenDocumentFields = z.output<typeof updateDocumentBody>;

export const createVersionBody = z
  .object({
    content: content.optional().describe('Default: that of the newest version.'),
    title: title.optional().describe('Default: that of the document.'),
    language: language.optional().describe('Default: that of the newest version.'),
    metadata: shortMetadata.optional().describe('Default: that of the newest version.'),
    originalSentences: sentences
      .optional()
      .describe('Default: those of the newest version, with its content.'),
  })
  .optional();
export type VersionFields = NonNullable<z.output<typeof createVersionBody>>;

export const updateVersionBody = z
  .object({
    status: z.preprocess((value) => (value === 'ACTIVE' ? 'APPROVED' : value), versionStatus),
    content,
    title,
    language,
    metadata: shortMetadata,
    originalSentences: sentences,
  })
  .partial();
export type GivenVersionFields = z.output<typeof updateVersionBody>;

const filters = {
  type: several(documentType).describe('Documents of one of these types.'),
  topicId: several(uuid).describe('Documents of one of these topics.'),
  quickstartId: several(uuid).describe('Documents created for one of these quickstarts.'),
};

export const documentsQuery = z.object({
  ...paging(['createdAt', 'modifiedAt', 'title', 'type', 'status', 'assignee', 'id']),
  ...filters,
  status: several(z.enum(['DRAFT', 'ACTIVE', ...CURRENT_VERSION_STATUSES])).describe(
    'Documents with one of these statuses, or whose current version has one of `REVIEW`, `APPROVED` and `ARCHIVED`. Default: all.',
  ),
  tagId: several(uuid).describe('Documents with one of these tags.'),
  scrapeJobId: several(uuid).describe('Documents that one of these scrape jobs created.'),
  fileProcessingId: several(uuid).describe('Documents that one of these uploads created.'),
  startDate: givenTime.optional().describe('Documents created at this time or later.'),
  endDate: givenTime.optional().describe('Documents created at this time or earlier.'),
  assignee: several(shortText).describe('Documents assigned to one of these users.'),
  isVerified: queryBoolean.optional().describe('Documents that are (`true`) or are not (`false`) verified.'),
  search: searchText.describe('Documents with this text in their title, ignoring case.'),
  documentStatus: several(status).describe(
    'Documents with one of these statuses of their own. With `status`, documents that fit both.',
  ),
  metadataStep: several(shortText).describe(
    'Documents whose current version has one of these values as `step` of its metadata.',
  ),
});
export type DocumentsQuery = z.output<typeof documentsQuery>;

export const versionsQuery = z.object(paging(['versionNumber']));
export type VersionsQuery = z.output<typeof versionsQuery>;

export const assigneeCountsQuery = z.object({
  type: documentType.default('KNOWLEDGE'),
  status: status.default('ACTIVE'),
});
export const assigneeCount = namedObject('AssigneeCount', { assignee: z.string(), count: z.int() });
export type AssigneeCount = z.infer<typeof assigneeCount>;

export const chunk = namedObject('DocumentChunk', {
  documentId: uuid,
  versionNumber: z.int(),
  index: z.int().describe('Position within the document, from 0.'),
  title: z.string().describe('Title of the document.'),
  text: z.string().describe('Text of the chunk, at most 1200 characters.'),
  start: z.int().describe('Start in the content, in UTF-16 units.'),
  end: z.int().describe('End in the content, in UTF-16 units.'),
});
export type DocumentChunk = z.infer<typeof chunk>;

const { skip, limit } = paging(['id']);
export const chunksQuery = z.object({
  skip,
  limit,
  ...filters,
  documentId: several(uuid).describe('Chunks of these documents.'),
});
export type ChunksQuery = z.output<typeof chunksQuery>;

export const documentUploadFields = z.object({
  type: documentType,
  topicId: uuid.nullable().default(null),
  quickstartId: uuid.nullable().default(null),
  assignee: assignee.default(null),
  title: title
    .optional()
    .describe('Title of a text or Markdown file. Default: the first heading, else the name of the file.'),
});

const rejectedRow = z.object({
  line: z.int().describe('Line on which the row begins.'),
  error: z.string(),
});
export type RejectedRow = z.infer<typeof rejectedRow>;

export const documentUploadReport = namedObject('DocumentUploadReport', {
  fileProcessingId: uuid.describe('Id that all documents of this upload have.'),
  created: z.int(),
  documentIds: z.array(uuid).describe('Ids of the first 1000 documents.'),
  rejected: z.array(rejectedRow).describe('First 100 rows without a document.'),
  rejectedCount: z.int(),
});
export type DocumentUploadReport = z.infer<typeof documentUploadReport>;
