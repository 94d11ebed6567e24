// Loads the modules of the single binary from its assets. It runs first, in the main thread and in each worker.
const { registerHooks } = require('node:module');
const { getAsset } = require('node:sea');

const ROOT = 'app:///';
/** Packages that the build of the server leaves outside. */
const PACKAGES = { 'better-sqlite3': `${ROOT}npm/better-sqlite3.cjs` };

registerHooks({
  resolve(specifier, context, next) {
    const isInside = specifier.startsWith(ROOT) || context.parentURL?.startsWith(ROOT);
    const isRelative = specifier.startsWith('./') || specifier.startsWith('../');
    const url = PACKAGES[specifier] ?? (specifier.startsWith(ROOT) || isRelative ? specifier : null);
    if (!isInside || url === null) return next(specifier, context);
    return { url: new URL(url, context.parentURL).href, shortCircuit: true };
  },
  load(url, context, next) {
    if (!url.startsWith(ROOT)) return next(url, context);
    const source = getAsset(new URL(url).pathname.slice(1), 'utf8');
    return { source, format: url.endsWith('.cjs') ? 'commonjs' : 'module', shortCircuit: true };
  },
});
