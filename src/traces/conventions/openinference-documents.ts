import { jsonText } from './json.ts';
import { defined } from './members.ts';
import type { RetrievedDocument } from './message.ts';
import { type AttributeView, elements, parsedOfKey } from './span-view.ts';

/** Reads `retrieval.documents.N.document.*`. */
export function openInferenceDocuments(view: AttributeView): RetrievedDocument[] | undefined {
  return documents(view, 'retrieval.documents.');
}

/** Reads `reranker.output_documents.N.document.*`. */
export function rerankedDocuments(view: AttributeView): RetrievedDocument[] | undefined {
  return documents(view, 'reranker.output_documents.');
}

function documents(view: AttributeView, prefix: string): RetrievedDocument[] | undefined {
  const found = elements(view, prefix)
    .map(readDocument)
    .filter((document) => Object.keys(document).length > 0);
  return found.length === 0 ? undefined : found;
}

function readDocument(view: AttributeView): RetrievedDocument {
  const id = view.value('document.id');
  const content = view.value('document.content');
  const score = view.value('document.score');
  return defined<RetrievedDocument>({
    id: id === undefined ? undefined : jsonText(id),
    content: content === undefined ? undefined : jsonText(content),
    score: typeof score === 'number' ? score : undefined,
    metadata: parsedOfKey(view, 'document.metadata'),
  });
}
