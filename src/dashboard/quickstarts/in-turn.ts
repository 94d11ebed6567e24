import type { Call } from '../api/client.ts';

/** Makes one call after another, and stops at the first that fails. */
export async function inTurn<Input, T>(
  inputs: readonly [Input, ...Input[]],
  call: (input: Input) => Call<T>,
): Call<T> {
  const [first, ...others] = inputs;
  let last = await call(first);
  for (const input of others) {
    if (last.error !== undefined) break;
    last = await call(input);
  }
  return last;
}
