import { describe, expect, it } from 'vitest';
import { Organisations } from '../../src/runtime/organisations.ts';
import { Turns } from '../../src/ingest/turns.ts';

/** Keeps the thread busy, by the clock that turns are measured with. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('turns', () => {
  it('run steps in the order of each application and return what they return', async () => {
    const turns = new Turns();
    const order: number[] = [];
    const step = (n: number): Promise<number> =>
      turns.run(1, () => {
        order.push(n);
        return n * 10;
      });
    expect(await Promise.all([step(1), step(2), step(3)])).toEqual([10, 20, 30]);
    expect(order).toEqual([1, 2, 3]);
  });

  it('let a short step pass the queue of an application that has used more time', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const long = Array.from({ length: 4 }, (_, i) =>
      turns.run(1, () => {
        order.push(`long ${i}`);
        work(30);
      }),
    );
    const short = Array.from({ length: 3 }, (_, i) => turns.run(2, () => void order.push(`short ${i}`)));
    await Promise.all([...long, ...short]);
    expect(order.slice(0, 5)).toEqual(['long 0', 'short 0', 'short 1', 'short 2', 'long 1']);
  });

  it('give a step that arrives later its turn before the rest of a long queue', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const long = Array.from({ length: 10 }, (_, i) =>
      turns.run(1, () => {
        order.push(`long ${i}`);
        work(5);
      }),
    );
    await long[1];
    await turns.run(2, () => void order.push('late'));
    expect(order.indexOf('late')).toBeLessThan(5);
    await Promise.all(long);
    expect(order).toHaveLength(11);
  });

  it('are those of one for an organisation with many applications, which is charged with their time', async () => {
    const organisations = new Organisations();
    for (let application = 1; application <= 20; application++) organisations.assign(application, 'many');
    organisations.assign(100, 'one');
    const turns = new Turns(organisations);
    const order: string[] = [];
    const steps = Array.from({ length: 20 }, (_, index) =>
      turns.run(index + 1, () => {
        order.push('many');
        work(5);
      }),
    );
    steps.push(...Array.from({ length: 5 }, () => turns.run(100, () => void order.push('one'))));
    await Promise.all(steps);
    expect(order.lastIndexOf('one')).toBeLessThan(7);
    expect(organisations.decodingSeconds('many')).toBeGreaterThanOrEqual(0.1);
  });

  it('fail only the step that throws', async () => {
    const turns = new Turns();
    const results = await Promise.allSettled([
      turns.run(1, () => 'before'),
      turns.run(1, () => {
        throw new Error('this one');
      }),
      turns.run(1, () => 'after'),
    ]);
    expect(results).toMatchObject([
      { value: 'before' },
      { status: 'rejected', reason: { message: 'this one' } },
      { value: 'after' },
    ]);
    expect(await turns.run(1, () => 'later')).toBe('later');
  });

  it('leave other events of the thread their turn while steps wait', async () => {
    const turns = new Turns();
    let done = 0;
    const steps = Array.from({ length: 20 }, () =>
      turns.run(1, () => {
        work(5);
        done += 1;
      }),
    );
    const doneAtEvents: number[] = [];
    const isOver = Promise.all(steps);
    const look = (): void => {
      doneAtEvents.push(done);
      if (done < steps.length) setImmediate(look);
    };
    setImmediate(look);
    await isOver;
    expect(new Set(doneAtEvents).size).toBeGreaterThan(10);
  });
});

describe('work in steps', () => {
  function* steps(name: string, order: string[]): Generator<void, string, void> {
    for (let i = 0; i < 3; i += 1) {
      order.push(`${name} ${i}`);
      work(5);
      yield;
    }
    return name;
  }

  it('lets other applications have their turns between its steps, and keeps the order of its own', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const results = await Promise.all([
      turns.steps(1, steps('long', order)),
      turns.run(1, () => void order.push('later of the same')),
      turns.run(2, () => void order.push('other')),
    ]);
    expect(results[0]).toBe('long');
    expect(order).toEqual(['long 0', 'other', 'long 1', 'long 2', 'later of the same']);
  });

  it('that throws fails alone', async () => {
    const turns = new Turns();
    const failing = turns.steps(1, failAfterOneStep());
    await expect(failing).rejects.toThrow('in the second step');
    expect(await turns.run(1, () => 'later')).toBe('later');
  });
});

function* failAfterOneStep(): Generator<void, void, void> {
  yield;
  throw new Error('in the second step');
}
