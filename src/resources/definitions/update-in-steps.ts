import type { Call } from '../../storage/operations.ts';
import type { Definition } from './contract.ts';
import type { definitionCommands } from './store.ts';

/** Updates a definition. Archiving removes many links in several commands; the last one returns the definition. */
export async function updateInSteps(
  write: Call<Pick<typeof definitionCommands, 'updateDefinition'>>,
  args: Parameters<typeof definitionCommands.updateDefinition>[1],
): Promise<Definition> {
  // The last step alone changes the definition, so that each step finds a change by another caller.
  for (;;) {
    const updated = await write('updateDefinition', args);
    if (updated !== null) return updated;
  }
}
