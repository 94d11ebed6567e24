import { parseSync, Visitor } from 'oxc-parser';

const RUNS = ['run', 'get', 'all', 'getExact', 'allExact'];

/** Returns a line for each statement of a source that binds `?` although nothing composes it. */
export function positionalParameters(path: string, source: string): string[] {
  const found: string[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [sql, ...values] }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (!RUNS.includes(callee.property.name) || values.length === 0) return;
      if (sql?.type !== 'TemplateLiteral' && sql?.type !== 'Literal') return;
      const text = source.slice(sql.start, sql.end);
      const isComposed = values.some(({ type }) => type === 'SpreadElement');
      if (text.includes('?') && !isComposed) found.push(`${path}: ${text}`);
    },
  }).visit(parseSync(path, source).program);
  return found;
}
