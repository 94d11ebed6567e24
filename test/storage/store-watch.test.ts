import { describe, expect, it } from 'vitest';
import { StoreWatch } from '../../src/storage/store-watch.ts';

const NOW = 1_000_000;

function newWatch() {
  const store = { version: '1', now: NOW };
  const watch = new StoreWatch(
    () => store.version,
    () => store.now,
  );
  return { store, watch };
}

describe('a watch of the store', () => {
  it('is due before the first look', () => {
    expect(newWatch().watch.isDue).toBe(true);
  });

  it('is due again when the store has changed', async () => {
    const { store, watch } = newWatch();
    await watch.look(async () => null);
    expect(watch.isDue).toBe(false);
    store.version = '2';
    expect(watch.isDue).toBe(true);
  });

  it('is due again when the store changes during the look', async () => {
    const { store, watch } = newWatch();
    await watch.look(async () => {
      store.version = '2';
      return null;
    });
    expect(watch.isDue).toBe(true);
  });

  it('is due at the time that the look returned', async () => {
    const { store, watch } = newWatch();
    await watch.look(async () => NOW + 300);
    expect(watch.waitMs).toBe(300);
    store.now += 299;
    expect(watch.isDue).toBe(false);
    store.now += 1;
    expect(watch.isDue).toBe(true);
  });

  it('is due after a minute, and when the clock was set back', async () => {
    const { store, watch } = newWatch();
    await watch.look(async () => null);
    store.now += 59_999;
    expect(watch.isDue).toBe(false);
    store.now += 1;
    expect(watch.isDue).toBe(true);
    store.now = NOW - 1;
    expect(watch.isDue).toBe(true);
  });

  it('is due after a look that failed', async () => {
    const { watch } = newWatch();
    await watch.look(async () => null);
    await expect(watch.look(() => Promise.reject(new Error('busy')))).rejects.toThrow('busy');
    expect(watch.isDue).toBe(true);
  });
});
