/** Limits of the input examples that a task shows. */
export const MAX_INPUT_EXAMPLES = 100;
export const MAX_INPUT_CHARACTERS = 200_000;
