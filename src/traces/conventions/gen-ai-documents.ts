import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import { type JsonObject, jsonText, parseJson } from './json.ts';
import { withoutBytes } from './media-parts.ts';
import { defined, numberMember, textMember } from './members.ts';
import type { RetrievedDocument } from './message.ts';
import { type AttributeView, parsedOfKey, type SpanView, under, viewOf } from './span-view.ts';

const CONTENT_KEYS = ['content', 'text', 'page_content', 'pageContent', 'document'];
const ID_KEYS = ['id', 'document_id', 'documentId', 'doc_id'];
const SCORE_KEYS = ['score', 'relevance_score', 'relevanceScore'];

/** Returns a reader of an attribute with documents: a list, or one of them. */
export function documentsAt(key: string): (view: AttributeView) => RetrievedDocument[] | undefined {
  return (view) => {
    const value = parsedOfKey(view, key);
    const documents = value === undefined ? [] : Array.isArray(value) ? value : [value];
    return documents.length > 0 ? documents.map(readDocument) : undefined;
  };
}

/** Returns the documents of a `retrieval` span of the GenAI conventions. */
export const genAiDocuments = documentsAt('gen_ai.retrieval.documents');

/** Reads OpenLLMetry's events of a query to a vector database, one per row. */
export function queryResultDocuments(view: SpanView): RetrievedDocument[] | undefined {
  const documents = view.happenings
    .filter(({ name }) => name === 'db.query.result')
    .map(({ attributes }) => readDocument(Object.fromEntries(under(viewOf(attributes), 'db.query.result.'))));
  return documents.length > 0 ? documents : undefined;
}

/** Reads the documents that a retriever of Genkit found: `{ documents: [{ content: [{ text }], metadata }] }`. */
export function genkitDocuments(view: SpanView): RetrievedDocument[] | undefined {
  const output = parsedOfKey(view, 'genkit:output');
  const documents = isObject(output) ? output['documents'] : undefined;
  if (!Array.isArray(documents) || documents.length === 0) return undefined;
  return documents.map((document) => {
    const content = isObject(document) ? document['content'] : undefined;
    if (!isObject(document) || !Array.isArray(content)) return readDocument(document);
    const texts = content.flatMap((part) => (isObject(part) ? (textMember(part, 'text') ?? []) : []));
    return readDocument({ ...document, content: texts.join('\n') });
  });
}

/** Reads a document in the form of any known sender. */
export function readDocument(value: JsonValue): RetrievedDocument {
  if (typeof value === 'string') return documentInText(value) ?? { content: value };
  if (!isObject(value)) return { metadata: withoutBytes(value) };
  const { metadata, ...members } = value;
  const idKey = ID_KEYS.find((key) => typeof members[key] === 'string' || typeof members[key] === 'number');
  const id = members[idKey ?? 'id'];
  const contentKey = CONTENT_KEYS.find((key) => textMember(members, key) !== undefined);
  const scoreKey = SCORE_KEYS.find((key) => numberMember(members, key) !== undefined);
  const rest = Object.entries(members).filter(
    ([key, item]) => ![contentKey, scoreKey, idKey ?? 'id'].includes(key) && item !== null,
  );
  return defined<RetrievedDocument>({
    id: id === undefined || id === null ? undefined : jsonText(withoutBytes(id)),
    content: contentKey === undefined ? undefined : textMember(members, contentKey),
    score: scoreKey === undefined ? undefined : numberMember(members, scoreKey),
    metadata: metadataOf(metadata, Object.fromEntries(rest)),
  });
}

/** Reads a document that its sender wrote as JSON, as those do whose lists have no objects. */
function documentInText(text: string): RetrievedDocument | undefined {
  if (!text.startsWith('{')) return undefined;
  const json = parseJson(text);
  if (!isObject(json) || !ID_KEYS.some((key) => Object.hasOwn(json, key))) return undefined;
  return CONTENT_KEYS.some((key) => textMember(json, key) !== undefined) ? readDocument(json) : undefined;
}

/** Adds the remaining members of a document to its metadata. */
function metadataOf(metadata: JsonValue | undefined, rest: JsonObject): JsonValue | undefined {
  const own = (typeof metadata === 'string' ? parseJson(metadata) : metadata) ?? undefined;
  if (Object.keys(rest).length === 0) return own && withoutBytes(own);
  if (own === undefined) return withoutBytes(rest);
  return withoutBytes(isObject(own) ? { ...own, ...rest } : { metadata: own, ...rest });
}
