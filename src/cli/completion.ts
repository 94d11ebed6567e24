import { DATA_DIR_FLAG, SETTING_FLAGS } from '../config.ts';
import { StartupError } from '../errors.ts';
import { ACCOUNT_FLAGS } from './account.ts';
import { type CommandEntry, type CliCommands, firstWords } from './command-entry.ts';
import type { Io } from './io.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Words and flags that may follow a command. */
interface Completed {
  name: string;
  meaning: string;
  flags: readonly string[];
  /** Words besides flags, such as `traces` after `export`. */
  words: readonly string[];
}

/** Prints a script by which a shell completes commands and flags. Throws StartupError. */
export function printCompletion(commands: CliCommands, words: readonly string[], io: Io): void {
  const shell = SHELLS.find((known) => known === words[0]);
  if (!shell || words.length > 1) throw new StartupError(`completion needs one of ${SHELLS.join(', ')}.`);
  const all = Object.entries(commands).map(([name, entry]) => completed(name, entry, commands));
  io.out(SCRIPTS[shell](all, firstWords(commands)));
}

function completed(
  name: string,
  { usage, meaning, worksOn }: CommandEntry,
  commands: CliCommands,
): Completed {
  const common: readonly string[] =
    worksOn === 'server' ? ACCOUNT_FLAGS : worksOn === 'store' ? [DATA_DIR_FLAG] : [];
  const flags = [
    ...(usage.match(/--[a-z][a-z-]*/g) ?? []),
    ...common,
    ...(name === 'serve' ? SETTING_FLAGS : []),
  ];
  const choices = /^[a-z]+(?:\|[a-z]+)+/.exec(usage)?.[0].split('|') ?? [];
  return {
    name,
    meaning: (meaning.split(/[;,.:] /, 1)[0] ?? meaning).replaceAll("'", '’'),
    flags: [...new Set(flags)].toSorted(),
    words: name === 'help' ? firstWords(commands) : choices,
  };
}

/** Returns the second words of commands by their first, such as `create` for `keys`. */
const secondWords = (all: readonly Completed[]): Map<string, string[]> => {
  const pairs = all.flatMap(({ name }) => {
    const [first = '', second] = name.split(' ');
    return second === undefined ? [] : [[first, second] as const];
  });
  const found = new Map<string, string[]>();
  for (const [first, second] of pairs) found.set(first, [...(found.get(first) ?? []), second]);
  return found;
};

/** Formats the branches of a `case` on both words, and on the first alone. */
const branches = (all: readonly Completed[], isPair: boolean): string =>
  all
    .filter(({ name }) => name.includes(' ') === isPair)
    .map(({ name, flags, words }) => `    '${name}') choices="$choices ${[...words, ...flags].join(' ')}" ;;`)
    .join('\n');

const secondBranches = (all: readonly Completed[]): string =>
  [...secondWords(all)]
    .map(([first, seconds]) => `    '${first}') choices="${seconds.join(' ')}" ;;`)
    .join('\n');

const bash = (
  all: readonly Completed[],
  first: readonly string[],
): string => `# bash completion of touchstone. For this shell: source <(touchstone completion bash)
_touchstone() {
  local current="\${COMP_WORDS[COMP_CWORD]}" first="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}" choices=''
  if [ "$COMP_CWORD" -le 1 ]; then
    COMPREPLY=($(compgen -W '${first.join(' ')}' -- "$current"))
    return
  fi
  [ "$COMP_CWORD" -eq 2 ] && case "$first" in
${secondBranches(all)}
  esac
  case "$first $second" in
${branches(all, true)}
    *) case "$first" in
${branches(all, false)}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -o default -F _touchstone touchstone
`;

const zsh = (all: readonly Completed[], first: readonly string[]): string => `#compdef touchstone
# zsh completion of touchstone. Write it to a file _touchstone in a folder of $fpath.
_touchstone() {
  local first="$words[2]" second="$words[3]" choices=''
  if (( CURRENT <= 2 )); then
    compadd -- ${first.join(' ')}
    return
  fi
  (( CURRENT == 3 )) && case "$first" in
${secondBranches(all)}
  esac
  case "$first $second" in
${branches(all, true)}
    *) case "$first" in
${branches(all, false)}
    esac ;;
  esac
  compadd -- \${=choices}
  _files
}
compdef _touchstone touchstone
`;

function fish(all: readonly Completed[], first: readonly string[]): string {
  const seen = (name: string): string =>
    name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
  const lines = [
    '# fish completion of touchstone. Write it to ~/.config/fish/completions/touchstone.fish',
    ...first.map((word) => {
      const meaning = all.find(({ name }) => name === word)?.meaning ?? '';
      return `complete -c touchstone -n __fish_use_subcommand -f -a ${word}${meaning && ` -d '${meaning}'`}`;
    }),
    ...[...secondWords(all)].map(
      ([word, seconds]) => `complete -c touchstone -n '${seen(word)}' -a '${seconds.join(' ')}'`,
    ),
    ...all.flatMap(({ name, flags, words }) => [
      ...(words.length > 0 ? [`complete -c touchstone -n '${seen(name)}' -a '${words.join(' ')}'`] : []),
      ...flags.map((flag) => `complete -c touchstone -n '${seen(name)}' -l ${flag.slice(2)}`),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

const SCRIPTS: Readonly<Record<Shell, (all: readonly Completed[], first: readonly string[]) => string>> = {
  bash,
  zsh,
  fish,
};
