import type { OwnMappings } from '../own-rules/own-mappings.ts';
import { textMatcher, type TextMatcher } from '../../filter/matcher.ts';
import type { FilterTerm, FilterTerms } from '../../filter/term.ts';
import { contentOf } from '../content.ts';
import { jsonText } from '../conventions/json.ts';
import { SpanView } from '../conventions/span-view.ts';
import type { LogRecordMessage } from '../log-record.ts';
import { mapSpan } from '../map-span.ts';
import { SpanMapping } from '../mapping.ts';
import { type SkeletonSpan, STATUS_ERROR } from '../span.ts';
import { type ObservationKind, SPAN_KINDS } from '../span-kinds.ts';
import type { Attributes } from '../span-wire.ts';
import { statusMessage } from '../step.ts';

/** Reports whether a term is about the steps of a trace, which no index has. */
export function isOfSteps({ field, values }: FilterTerm): boolean {
  if (field === 'text' || field === 'tool' || field === 'version') return true;
  return field === 'error' && values.some((value) => value.is !== 'equal' || !isYesOrNo(value.text));
}

const isYesOrNo = (text: string): boolean => text === 'yes' || text === 'no';

/** Attributes of a span or its resource that have the version of the app, or of its prompt. */
const VERSION_KEYS = ['service.version', 'app.version', 'app.prompt.version'] as const;

const TOOL = SPAN_KINDS.indexOf('TOOL' satisfies ObservationKind);

/** Texts of a trace that lists show. */
export type ShownTexts = readonly (string | null)[];

/** A span whose bytes were read. */
export interface ReadStep {
  skeleton: SkeletonSpan;
  bytes: Buffer;
  logs: readonly LogRecordMessage[];
  resource: Attributes;
}

/** Fields whose complete value is compared. */
const WHOLE: ReadonlySet<string> = new Set(['tool', 'version']);

interface Watched {
  term: FilterTerm;
  matcher: TextMatcher;
}

/** Decides about the terms that concern the steps of traces, one trace after the other. */
export class StepTerms {
  private readonly watched: readonly Watched[];
  private readonly mapping = new SpanMapping();
  private found = new Set<Watched>();

  private readonly own: OwnMappings | null;

  /** `own` are mapping rules of the application. */
  constructor(terms: FilterTerms, own: OwnMappings | null = null) {
    this.own = own;
    this.watched = terms.map((term) => ({ term, matcher: textMatcher(term.values, WHOLE.has(term.field)) }));
  }

  /** Begins a trace with the texts that lists show. */
  begin(shown: ShownTexts, errorCount: number): void {
    this.found = new Set(
      this.watched.filter(({ term, matcher }) => {
        if (term.field === 'text') return shown.some((text) => text !== null && matcher.matches(text));
        return (
          term.field === 'error' &&
          term.values.some((value) => value.is === 'equal' && value.text === (errorCount > 0 ? 'yes' : 'no'))
        );
      }),
    );
  }

  /** True if no further step can change whether the trace matches. */
  get isDecided(): boolean {
    return this.isExcluded || this.found.size === this.watched.length;
  }

  /** True if every term holds for the steps that were read. */
  get isMatch(): boolean {
    return this.watched.every((one) => this.found.has(one) !== one.term.isNegated);
  }

  private get isExcluded(): boolean {
    return this.watched.some((one) => one.term.isNegated && this.found.has(one));
  }

  /** Reads a step of the trace. */
  read(step: ReadStep): void {
    const texts = new StepTexts(step, this.mapping, this.own);
    for (const one of this.watched) {
      if (this.found.has(one) || !mayHave(one.term.field, step)) continue;
      // What has no such bytes needs not be decoded, which takes longer than all the rest.
      if (one.term.field === 'text' && one.matcher.literals && !texts.mayContain(one.matcher.literals))
        continue;
      if (texts.of(one.term.field).some((text) => one.matcher.matches(text))) this.found.add(one);
    }
  }
}

const mayHave = (field: string, { skeleton: { kind, status }, logs }: ReadStep): boolean =>
  // Log records may be all that shows that a span is a call of a tool.
  field === 'tool' ? kind === 'TOOL' || logs.length > 0 : field !== 'error' || status === STATUS_ERROR;

/** Texts of a step, decoded when they are needed. */
class StepTexts {
  private readonly step: ReadStep;
  private readonly mapping: SpanMapping;
  private readonly own: OwnMappings | null;
  private readonly known = new Map<string, readonly string[]>();
  private folded: string | null = null;

  constructor(step: ReadStep, mapping: SpanMapping, own: OwnMappings | null) {
    this.step = step;
    this.own = own;
    this.mapping = mapping;
  }

  /** Reports whether the bytes of the step have one of the literals, which are in lower-case letters. */
  mayContain(literals: readonly string[]): boolean {
    if (this.step.logs.length > 0) return true;
    const folded = (this.folded ??= this.step.bytes.toString('latin1').toLowerCase());
    return literals.some((literal) => folded.includes(literal));
  }

  /** Returns the texts that a field compares. */
  of(field: string): readonly string[] {
    let texts = this.known.get(field);
    if (!texts) this.known.set(field, (texts = this.read(field)));
    return texts;
  }

  private read(field: string): string[] {
    const { skeleton, bytes, logs, resource } = this.step;
    const view = new SpanView(bytes, logs, this.own);
    if (field === 'version') {
      const values = VERSION_KEYS.flatMap((key) => [view.value(key), resource[key]]);
      return values.filter((value) => value !== undefined && value !== null).map(jsonText);
    }
    const mapping = mapSpan(bytes, this.mapping, logs, this.own);
    if (field === 'tool')
      return skeleton.kind === 'TOOL' || (skeleton.kind === 'SPAN' && mapping.kind === TOOL)
        ? [mapping.text('toolName') ?? skeleton.name]
        : [];
    const failure = statusMessage(skeleton, view, mapping);
    if (field === 'error') return [skeleton.name, failure];
    const content = (['input', 'output'] as const).map(
      (side) => contentOf(mapping, view, side)?.value ?? null,
    );
    return [skeleton.name, ...content.filter((value) => value !== null).map(jsonText), failure];
  }
}
