/** Flags that choose the database, and the variables that they become. */
const VARIABLES: Readonly<Record<string, string>> = {
  '--database-url': 'TOUCHSTONE_DATABASE_URL',
  '--database-url-file': 'TOUCHSTONE_DATABASE_URL_FILE',
};

/**
 * Moves the flags that choose the database into variables, before any module that composes statements is loaded, and returns the
 * other arguments. Every command understands them. A flag takes precedence over both variables.
 */
export function moveDatabaseFlags(
  args: readonly string[],
  env: Record<string, string | undefined>,
): { args: string[]; hasMoved: boolean } {
  const left: string[] = [];
  const moved = new Map<string, string>();
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const [flag = '', ...value] = arg.split('=');
    const variable = Object.hasOwn(VARIABLES, flag) ? VARIABLES[flag] : undefined;
    const next = args[at + 1];
    if (variable !== undefined && value.length > 0) moved.set(variable, value.join('='));
    else if (variable !== undefined && next !== undefined) {
      moved.set(variable, next);
      at += 1;
    } else left.push(arg);
  }
  if (moved.size > 0) {
    for (const variable of Object.values(VARIABLES)) delete env[variable];
    for (const [variable, value] of moved) env[variable] = value;
  }
  return { args: left, hasMoved: moved.size > 0 };
}
