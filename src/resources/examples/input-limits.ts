/** Limits of the input examples that a task shows. */
export const MAX_INPUT_EXAMPLES = 100;
export const MAX_INPUT_CHARACTERS = 200_000;
/** Most rows of a file that an import reads. */
export const MAX_IMPORT_ROWS = 100_000;
