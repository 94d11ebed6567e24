/** What earlier answers of a case said, by name. */
export type Answers = Readonly<Record<string, unknown>>;

const CHANGES: Readonly<Record<string, (value: unknown) => string>> = {
  upper: (value) => String(value).toUpperCase(),
  json: (value) => JSON.stringify(value),
  url: (value) => encodeURIComponent(String(value)),
  /** The secret in a link. */
  token: (value) => String(value).split('=')[1] ?? '',
  /** A uuid without its hyphens. */
  hex: (value) => String(value).replaceAll('-', ''),
};

const NAMED = /\{\{([\w.-]+)(?:\|(\w+))?\}\}/g;
const ALONE = /^\{\{[\w.-]+\}\}$/;

/** A text with what it names in place of the names; what stands alone keeps its type. Throws when it is not there. */
export function filled(text: string, answers: Answers): unknown {
  if (ALONE.test(text)) return found(text.slice(2, -2), answers);
  return text.replace(NAMED, (_all, path: string, change?: string) => {
    const value = found(path, answers);
    return change === undefined ? String(value) : (CHANGES[change] as (value: unknown) => string)(value);
  });
}

/** The same of all texts within a value. */
export function filledDeep(value: unknown, answers: Answers): unknown {
  if (typeof value === 'string') return filled(value, answers);
  if (Array.isArray(value)) return value.map((element) => filledDeep(element, answers));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [filled(key, answers) as string, filledDeep(field, answers)]),
  );
}

function found(path: string, answers: Answers): unknown {
  const value = path
    .split('.')
    .reduce<unknown>((holder, key) => (holder as Record<string, unknown> | undefined)?.[key], answers);
  if (value === undefined) throw new Error(`{{${path}}} names nothing that was answered`);
  return value;
}
