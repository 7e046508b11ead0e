import { type Code, code, joined } from '@app/shapes';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import type { Planner } from '../plan/planner';
import { UNKNOWN, WORD_BITS } from './doubt';

/**
 * The bits of a property: the first means that its rules have to be tested again, the next ones which rules failed, and
 * the last one of a nested property that its nested value is in doubt.
 */
interface Place {
  readonly word: number;
  readonly first: number;
  readonly count: number;
}

/** The bits of the properties of a class, in the functions that create and validate its instances. */
export class DoubtLayout {
  readonly words: readonly number[];
  private readonly places: ReadonlyMap<PropertyPlan, Place>;
  /** Nested properties whose parts are validated as far as they are in doubt. */
  private readonly nested: readonly PropertyPlan[];

  constructor(
    private readonly plan: ClassPlan,
    planner: Planner,
  ) {
    this.places = placesOf(plan);
    this.words = [...new Set([0, ...Array.from(this.places.values(), ({ word }) => word)])];
    this.nested = plan.properties.filter(
      (property) =>
        property.known?.isNested &&
        planner.isTried(property) &&
        property.transforms.length === 0 &&
        this.isAsTested(property),
    );
  }

  /** The variables of a function that creates an instance; `whole` is the name of `WHOLE`. */
  variables(whole: Code): Code[] {
    const words = this.words.map((word) => code`  let doubt${word} = 0;`);
    const unknown = this.listsUnknown ? [code`  let unknown;`] : [];
    return [...words, ...this.nested.map((_, at) => code`  let part${at} = ${whole};`), ...unknown];
  }

  /** A statement: the rules of the property have to be tested again. */
  mark(property: PropertyPlan): Code {
    const { word, first } = this.placeOf(property);
    return code`doubt${word} |= ${1 << first};`;
  }

  /** A statement: a rule of the property failed. `rule` is its number, `IsDefined` first. */
  markRule(property: PropertyPlan, rule: number): Code {
    const { word, first } = this.placeOf(property);
    const isKept = this.isAsTested(property) && rulesOf(property) > 0;
    return isKept ? code`doubt${word} |= ${1 << (first + 1 + rule)};` : this.mark(property);
  }

  /** A statement: the instance has a field that the whitelist does not know. `name` is an expression, if one was sent. */
  markUnknown(name?: Code): Code {
    const list =
      name && this.listsUnknown
        ? code` if (unknown === undefined) unknown = [${name}]; else unknown.push(${name});`
        : code``;
    return code`doubt0 |= ${UNKNOWN};${list}`;
  }

  /** Statements: the nested value was created now, and is in doubt as far as `run.doubt` says. */
  keepPart(property: PropertyPlan): Code {
    const part = this.partOf(property);
    return part ? code`${part} = run.doubt;` : code``;
  }

  /** A statement: the nested value that was created is in doubt. */
  markPart(property: PropertyPlan): Code {
    const { word, first, count } = this.placeOf(property);
    return this.partOf(property) ? code`doubt${word} |= ${1 << (first + count - 1)};` : this.mark(property);
  }

  /** Whether anything is in doubt, and what. */
  result(): { isAny: Code; doubt: Code } {
    const words = this.words.map((word) => code`doubt${word}`);
    const parts = this.nested.map((_, at) => code`part${at}`);
    const unknown = this.listsUnknown ? [code`unknown`] : [];
    return {
      isAny: joined(
        words.map((word) => code`${word} !== 0`),
        ' || ',
      ),
      doubt: code`{ ${joined([...words, ...parts, ...unknown], ', ')} }`,
    };
  }

  /** An expression: the fields that the whitelist does not know, if they are listed. */
  unknown(): Code {
    return this.listsUnknown ? code`doubt === undefined ? undefined : doubt.unknown` : code`undefined`;
  }

  /** The variables of a function that validates an instance; without a `doubt` it validates everything. */
  read(whole: Code): Code[] {
    const words = this.words.map(
      (word) => code`  const doubt${word} = doubt === undefined ? -1 : doubt.doubt${word} | 0;`,
    );
    const parts = this.nested.map(
      (_, at) => code`  const part${at} = doubt === undefined ? ${whole} : doubt.part${at};`,
    );
    return [...words, ...parts];
  }

  /** An expression: whether a property, by all of its keys, may be invalid. */
  isMarked(name: string): Code {
    const marked = this.plan.properties
      .filter((property) => property.name === name)
      .map((property) => {
        const { word, first, count } = this.placeOf(property);
        return code`(doubt${word} & ${bits(count) << first}) !== 0`;
      });
    return joined(marked, ' || ');
  }

  /** An expression: whether the rules of a marked property have to be tested again. */
  isUntested(property: PropertyPlan): Code {
    const { word, first } = this.placeOf(property);
    return this.isAsTested(property) ? code`(doubt${word} & ${1 << first}) !== 0` : code`true`;
  }

  /** An expression: the rules that failed, a bit each. */
  failed(property: PropertyPlan): Code {
    const { word, first } = this.placeOf(property);
    return code`(doubt${word} >> ${first + 1}) & ${bits(rulesOf(property))}`;
  }

  /** The variable with the doubt of a nested value; absent if it is always validated completely. */
  partOf(property: PropertyPlan): Code | undefined {
    const at = this.nested.indexOf(property);
    return at < 0 ? undefined : code`part${at}`;
  }

  /**
   * Whether an instance has no fields of its own that are unknown, so that all such fields were sent, and in their order:
   * exposed ones are set even if they were not, and where a name is a number it comes first.
   */
  private get listsUnknown(): boolean {
    const { settings, fields, shape } = this.plan;
    return settings.whitelist && fields !== undefined && shape.exposed.length === 0;
  }

  /** Whether the instance certainly holds the value that was tested: no accessor, and no second key, may change it. */
  private isAsTested({ name }: PropertyPlan): boolean {
    const { fields, repeated } = this.plan;
    return fields !== undefined && !repeated.has(name);
  }

  private placeOf(property: PropertyPlan): Place {
    return this.places.get(property)!;
  }
}

function placesOf({ properties }: ClassPlan): Map<PropertyPlan, Place> {
  const places = new Map<PropertyPlan, Place>();
  let word = 0;
  let first = 0;
  for (const property of properties) {
    const count = 1 + rulesOf(property) + (property.known?.isNested ? 1 : 0);
    if (first + count > WORD_BITS) {
      word += 1;
      first = 0;
    }
    places.set(property, { word, first, count });
    first += count;
  }
  return places;
}

function rulesOf({ known, isPlainlySaid }: PropertyPlan): number {
  return known && isPlainlySaid ? known.defined.length + known.leaves.length : 0;
}

function bits(count: number): number {
  return (1 << count) - 1;
}
