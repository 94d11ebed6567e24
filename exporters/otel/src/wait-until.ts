/** Keeps a runtime alive until a promise is settled. */
export type WaitUntil = (promise: Promise<unknown>) => void;

/** Names of the globals in which hosts of Next.js keep what belongs to the current request. */
const CONTEXTS = ['@next/request-context', '@vercel/request-context'].map((name) => Symbol.for(name));

interface RequestContext {
  get?: () => { waitUntil?: unknown } | undefined;
}

/** Returns the function of the current request, where the host provides one. */
export function waitUntilOfRequest(): WaitUntil | undefined {
  const globals = globalThis as unknown as Record<symbol, RequestContext | undefined>;
  for (const name of CONTEXTS) {
    const current = globals[name]?.get?.();
    const { waitUntil } = current ?? {};
    if (typeof waitUntil === 'function')
      return (promise) => void Reflect.apply(waitUntil, current, [promise]);
  }
  return undefined;
}
