const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for the content of an element and for an attribute in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

export const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

/** Turns one paragraph with `code` into HTML. */
export const inline = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll('\n', ' ');

/** Turns paragraphs, which empty lines separate, into HTML. */
export const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('');

/** Returns an id for a heading and the links to it. */
export const anchor = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

export interface FieldRow {
  name: string;
  /** HTML of the type. */
  type: string;
  isRequired: boolean;
  /** HTML of the meaning. */
  meaning: string;
}

/** Makes a table of fields or parameters; nothing if there is none. */
export function fieldTable(label: string, rows: readonly FieldRow[]): string {
  if (rows.length === 0) return '';
  const cells = rows.map(
    ({ name, type, isRequired, meaning }) =>
      `<tr><th scope="row">${code(name)}${isRequired ? ' <span class="required">required</span>' : ''}</th><td>${type}</td><td>${meaning}</td></tr>`,
  );
  return `<table aria-label="${escapeHtml(label)}"><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${cells.join('')}</tbody></table>`;
}
