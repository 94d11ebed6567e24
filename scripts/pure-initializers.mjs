import { parseSync } from 'oxc-parser';

const PURE = '/* @__PURE__ */ ';

/**
 * Tells the bundler that calls in the initial values of a module's constants have no effect, so that it drops constants
 * that nothing uses. Modules that are the start of a thread are excluded, because there such calls are the work.
 */
export const pureInitializers = ({ entries }) => ({
  name: 'pure initializers',
  transform: {
    filter: { id: /[\\/]src[\\/].*\.ts$/ },
    handler(code, file) {
      if (entries.test(file)) return null;
      const { body } = parseSync(file, code).program;
      const calls = new Set(body.flatMap(constantsOf).flatMap(({ init }) => callsIn(init)));
      return calls.size === 0 ? null : insertAt(code, [...calls]);
    },
  },
});

function constantsOf(statement) {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  return declaration?.type === 'VariableDeclaration' ? declaration.declarations : [];
}

/** Returns the positions of calls that are made while the node is evaluated, thus not of those in functions. */
function callsIn(node) {
  if (Array.isArray(node)) return node.flatMap(callsIn);
  if (node === null || typeof node !== 'object' || /Function/.test(node.type ?? '')) return [];
  const within = Object.values(node).flatMap(callsIn);
  return /^(?:Call|New)Expression$/.test(node.type ?? '') ? [node.start, ...within] : within;
}

const insertAt = (code, positions) =>
  positions
    .toSorted((a, b) => b - a)
    .reduce((text, position) => text.slice(0, position) + PURE + text.slice(position), code);
