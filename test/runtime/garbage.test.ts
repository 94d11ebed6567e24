import { expect, it } from 'vitest';
import { collectGarbage } from '../../src/runtime/garbage.ts';

it('garbage is collected at once', async () => {
  const dropped = new WeakRef({ text: 'x'.repeat(1_000) });
  // A reference that was just made is kept until the turn is over.
  await new Promise(setImmediate);
  collectGarbage();
  expect(dropped.deref()).toBe(undefined);
});
