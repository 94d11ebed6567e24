import type { MaskingRules } from './rules.ts';

/** Attributes by which the service recognises applications, tests and its own spans; rules cannot remove them. */
const NEEDED = ['service.name', 'service.test.id', 'touchstone.*'];
const MAX_REMEMBERED = 2_000;

/** Treatment of an attribute: its value is masked, stored as it is, or removed with it. */
export type AttributeFate = 'mask' | 'exempt' | 'remove';

/** Decides by its key what becomes of an attribute. */
export class AttributeFilter {
  private readonly remembered = new Map<string, AttributeFate>();
  private readonly removed: Names;
  private readonly kept: Names | null;
  private readonly exempt: Names;

  constructor({ removeAttributes, keepAttributes, exemptAttributes }: MaskingRules) {
    this.removed = new Names(removeAttributes);
    this.kept = keepAttributes && new Names(keepAttributes);
    this.exempt = new Names(exemptAttributes);
  }

  fateOf(key: string): AttributeFate {
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
    const isUnlisted = this.kept !== null && !this.kept.has(key) && !needed.has(key);
    const fate = isUnlisted ? 'remove' : this.fateOfField(key);
    this.remembered.set(key, fate);
    return fate;
  }

  /** Decides like `fateOf` about a field of a native event, which the list of kept attributes does not concern. */
  fateOfField(path: string): AttributeFate {
    if (this.removed.has(path) && !needed.has(path)) return 'remove';
    return this.exempt.has(path) ? 'exempt' : 'mask';
  }
}

/** Keys of attributes, some with a trailing `*`. */
class Names {
  private readonly exact = new Set<string>();
  private readonly beginnings: string[] = [];

  constructor(names: readonly string[]) {
    for (const name of names)
      if (name.endsWith('*')) this.beginnings.push(name.slice(0, -1));
      else this.exact.add(name);
  }

  has(key: string): boolean {
    return this.exact.has(key) || this.beginnings.some((beginning) => key.startsWith(beginning));
  }
}

const needed = new Names(NEEDED);
