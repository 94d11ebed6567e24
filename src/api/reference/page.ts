import type { OpenApiDocument } from '../document.ts';
import { anchor, escapeHtml, inline, paragraphs } from './html.ts';
import { type ListedOperation, operationHtml } from './operation-html.ts';
import { schemaAnchor, schemaHtml } from './schema-html.ts';

const LOGO =
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><rect width="16" height="16" rx="3.5" class="logo"/><path d="M4 8.4l2.7 2.7L12 5.4" class="tick"/></svg>';

/** Makes the page of the API reference: static HTML, which a small script makes searchable. */
export function referencePage(document: OpenApiDocument): string {
  const groups = groupsOf(document);
  const { version, description } = document.info;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Touchstone API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/reference.css">
<script src="docs/reference.js" defer></script>
</head>
<body>
<header><a class="brand" href="./">${LOGO}Touchstone</a><span>API reference ${escapeHtml(version)}</span><a href="openapi.json">OpenAPI document</a></header>
<nav aria-label="Operations">
<input type="search" id="search" placeholder="Search operations" aria-label="Search operations" hidden>
<p id="none" role="status" hidden>No operation has these words.</p>
${groups.map(navHtml).join('\n')}
<p><a href="#errors">Errors</a></p>
<p><a href="#schemas">Schemas</a></p>
</nav>
<main>
<h1>API reference</h1>
${paragraphs(description)}
${groups.map(groupHtml).join('\n')}
${errorsHtml(document)}
${schemasHtml(document)}
</main>
</body>
</html>
`;
}

interface Group {
  name: string;
  description: string;
  operations: ListedOperation[];
}

function groupsOf({ tags, paths }: OpenApiDocument): Group[] {
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
  );
  return tags.map((tag) => ({
    ...tag,
    operations: all.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
}

const navHtml = ({ name, operations }: Group): string =>
  `<details><summary>${escapeHtml(name)}</summary><ul>${operations
    .map(
      ({ method, path, operation: { operationId, summary } }) =>
        `<li data-words="${escapeHtml(`${method} ${path} ${operationId} ${summary} ${name}`.toLowerCase())}"><a href="#${operationId}">${escapeHtml(summary)}</a></li>`,
    )
    .join('')}</ul></details>`;

const groupHtml = ({ name, description, operations }: Group): string =>
  `<section aria-labelledby="${anchor(name)}"><h2 id="${anchor(name)}">${escapeHtml(name)}</h2>${paragraphs(description)}${operations.map(operationHtml).join('\n')}</section>`;

/** Lists the errors that operations share, with the status of each. */
function errorsHtml({ paths, components }: OpenApiDocument): string {
  const names = new Map<string, string>();
  for (const { responses } of Object.values(paths).flatMap((operations) => Object.values(operations))) {
    for (const [status, response] of Object.entries(responses)) {
      if ('$ref' in response) names.set(response.$ref.split('/').at(-1) ?? '', status);
    }
  }
  const rows = [...names]
    .sort(([, a], [, b]) => Number(a) - Number(b))
    .map(([name, status]) => {
      const meaning = components.responses[name]?.description ?? '';
      return `<tr><th scope="row">${status}</th><td>${inline(meaning)}</td></tr>`;
    });
  return `<section aria-labelledby="errors"><h2 id="errors">Errors</h2><table aria-label="Errors"><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}

function schemasHtml({ components }: OpenApiDocument): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<article id="${schemaAnchor(name)}"><h3><a href="#${schemaAnchor(name)}">${escapeHtml(name)}</a></h3>${schema.properties && schema.description !== undefined ? paragraphs(schema.description) : ''}${schemaHtml(name, schema)}</article>`,
  );
  return `<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${schemas.join('\n')}</section>`;
}
