import type { Write } from '../../storage/calls.ts';
import { updateDefinition as updateDefinitionCommand } from './calls.ts';
import type { Definition } from './contract.ts';
import type { definitionCommands } from './store.ts';

/** Updates a definition. Archiving removes many links in several commands; the last one returns the definition. */
export async function updateInSteps(
  write: Write,
  args: Parameters<typeof definitionCommands.updateDefinition>[1],
): Promise<Definition> {
  // The last step alone changes the definition, so that each step finds a change by another caller.
  for (;;) {
    const updated = await write(updateDefinitionCommand, args);
    if (updated !== null) return updated;
  }
}
