import { parseSync } from 'oxc-parser';
import type { Plugin } from 'rolldown';

const PURE = '/* @__PURE__ */ ';

/**
 * Tells the bundler that calls in the initial values of a module's constants have no effect, so that it drops constants
 * that nothing uses. Modules that are the start of a thread are excluded, because there such calls are the work.
 */
export const pureInitializers = ({ entries }: { entries: RegExp }): Plugin => ({
  name: 'pure initializers',
  transform: {
    filter: { id: /[\\/]src[\\/].*\.ts$/ },
    handler(code, file) {
      if (entries.test(file)) return null;
      const { body } = parseSync(file, code).program;
      const constants = body.flatMap((statement) => {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        return declaration?.type === 'VariableDeclaration' ? declaration.declarations : [];
      });
      const calls = new Set(constants.flatMap(({ init }) => callsIn(init)));
      return calls.size === 0 ? null : insertAt(code, [...calls]);
    },
  },
});

/** Returns the positions of calls that are made while the node is evaluated, thus not of those in functions. */
function callsIn(node: unknown): number[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(callsIn);
  const { type, start } = node as { type?: unknown; start?: unknown };
  const kind = typeof type === 'string' ? type : '';
  if (kind.includes('Function')) return [];
  const within = Object.values(node).flatMap(callsIn);
  return ['CallExpression', 'NewExpression'].includes(kind) ? [Number(start), ...within] : within;
}

const insertAt = (code: string, positions: readonly number[]): string =>
  positions
    .toSorted((a, b) => b - a)
    .reduce((text, position) => text.slice(0, position) + PURE + text.slice(position), code);
