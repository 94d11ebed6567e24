/**
 * The environment for a program under test: nothing of what the tests themselves were started with, but for the cache of
 * compiled code, without which each start takes half as long again. OTLP over gRPC is off, because its usual port is one
 * that programs under test would share.
 */
export function plainEnvironment(): Record<string, string | undefined> {
  const isOurs = (name: string): boolean =>
    /^(?:TOUCHSTONE_|VITEST|npm_|NODE_)/.test(name) && name !== 'NODE_COMPILE_CACHE';
  const kept = Object.entries(process.env).filter(([name]) => !isOurs(name));
  return { ...Object.fromEntries(kept), TOUCHSTONE_GRPC_PORT: 'off' };
}
