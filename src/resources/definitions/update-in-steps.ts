import { AppError } from '../../errors.ts';
import type { Write } from '../../storage/calls.ts';
import { updateDefinition as updateDefinitionCommand } from './calls.ts';
import type { Definition } from './contract.ts';
import type { definitionCommands } from './store.ts';

type Args = Parameters<typeof definitionCommands.updateDefinition>[1];

/** Updates a definition. Archiving removes many links in several commands; the last one returns the definition. */
export async function updateInSteps(write: Write, args: Args): Promise<Definition> {
  // The last step alone changes the definition, so that each step finds a change by another caller.
  for (let steps = 0; ; steps += 1) {
    const updated = await oneStep(write, args, steps > 0);
    if (updated !== null) return updated;
  }
}

/** Does one step. Its errors name what earlier ones have done, because a rejected change is expected to have changed nothing. */
async function oneStep(write: Write, args: Args, hasRemoved: boolean): Promise<Definition | null> {
  try {
    return await write(updateDefinitionCommand, args);
  } catch (error) {
    if (!hasRemoved || !(error instanceof AppError)) throw error;
    throw new AppError(
      error.code,
      `${error.message}. Some of its links have been removed already; archive it again, or link it again`,
      { issues: error.issues, ...(error.retryAfter !== null && { retryAfter: error.retryAfter }) },
    );
  }
}
