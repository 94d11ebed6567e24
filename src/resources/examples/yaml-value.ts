import { isScalar, parseDocument, visit } from 'yaml';
import { isTooLarge } from './exact-numbers.ts';

/** Parses YAML. Numbers beyond 2^53 become the texts that the file has. Throws for what is no YAML. */
export function yamlValue(text: string): unknown {
  const document = parseDocument(text, { intAsBigInt: true, merge: true, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) throw error;
  visit(document, {
    Scalar: (_key, node) => {
      if (!isScalar(node) || (typeof node.value !== 'bigint' && typeof node.value !== 'number')) return;
      const value = Number(node.value);
      node.value = isTooLarge(value) ? (node.source ?? String(node.value)) : value;
    },
  });
  return document.toJS({ maxAliasCount: 100 });
}
