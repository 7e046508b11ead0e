import { type Code, code, joined } from '@app/shapes';
import type { ClassPlan, PropertyPlan } from '../plan/plan';
import type { Planner } from '../plan/planner';
import { BITS, UNKNOWN } from './doubt';

/** The bits of the properties of a class, in the functions that create and validate its instances. */
export class DoubtLayout {
  readonly words: readonly number[];
  /** Nested properties whose parts are validated as far as they are in doubt. */
  private readonly nested: readonly PropertyPlan[];

  constructor(
    private readonly plan: ClassPlan,
    planner: Planner,
  ) {
    const count = Math.max(1, Math.ceil(plan.properties.length / BITS));
    this.words = Array.from({ length: count }, (_, at) => at);
    this.nested = plan.properties.filter(
      (property) => planner.isTried(property) && property.known?.isNested && isAsCreated(property, plan),
    );
  }

  /** The variables of a function that creates an instance; `whole` is the name of {@link WHOLE}. */
  variables(whole: Code): Code[] {
    const words = this.words.map((word) => code`  let doubt${word} = 0;`);
    return [...words, ...this.nested.map((_, at) => code`  let part${at} = ${whole};`)];
  }

  /** A statement: the property may be invalid. */
  mark(property: PropertyPlan): Code {
    const at = this.plan.properties.indexOf(property);
    return code`doubt${Math.floor(at / BITS)} |= ${1 << (at % BITS)};`;
  }

  /** A statement: the instance has a field that the whitelist does not know. */
  markUnknown(): Code {
    return code`doubt0 |= ${UNKNOWN};`;
  }

  /** A statement: the nested value of a property was created now, and is in doubt as far as `run.doubt` says. */
  keepPart(property: PropertyPlan): Code {
    const part = this.partOf(property.name);
    return part ? code`${part} = run.doubt;` : code``;
  }

  /** Whether anything is in doubt, and what. */
  result(): { isAny: Code; doubt: Code } {
    const words = this.words.map((word) => code`doubt${word}`);
    const parts = this.nested.map((_, at) => code`part${at}`);
    return {
      isAny: joined(
        words.map((word) => code`${word} !== 0`),
        ' || ',
      ),
      doubt: code`{ words: [${joined(words, ', ')}], parts: [${joined(parts, ', ')}] }`,
    };
  }

  /** The variables of a function that validates an instance; without a `doubt` it validates everything. */
  read(whole: Code): Code[] {
    const words = this.words.map(
      (word) => code`  const doubt${word} = doubt === undefined ? -1 : doubt.words[${word}] | 0;`,
    );
    const parts = this.nested.map(
      (_, at) => code`  const part${at} = doubt === undefined ? ${whole} : doubt.parts[${at}];`,
    );
    return [...words, ...parts];
  }

  /** An expression: whether a property may be invalid. */
  isMarked(name: string): Code {
    const words = this.words.flatMap((word) => {
      const own = this.plan.properties.slice(word * BITS, (word + 1) * BITS);
      const bits = own.reduce((all, one, at) => (one.name === name ? all | (1 << at) : all), 0);
      return bits === 0 ? [] : [code`(doubt${word} & ${bits}) !== 0`];
    });
    return joined(words, ' || ');
  }

  /** The variable with the doubt of a nested value; absent if it is always validated completely. */
  partOf(name: string): Code | undefined {
    const at = this.nested.findIndex((property) => property.name === name);
    return at < 0 ? undefined : code`part${at}`;
  }
}

/** Whether an instance certainly holds the nested value that was created for a property. */
function isAsCreated(property: PropertyPlan, { fields, properties }: ClassPlan): boolean {
  const isTwice = properties.some((one) => one !== property && one.name === property.name);
  return fields !== undefined && !isTwice && property.transforms.length === 0;
}
