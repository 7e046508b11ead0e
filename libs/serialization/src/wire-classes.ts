import type { ClassTransformOptions } from 'class-transformer';
import type { AnswerFinding } from './answer-faults';
import { ignoresArguments } from './plan/ignores-arguments';
import {
  carriesRules,
  type DeclaredType,
  exposedProperties,
  isClosed,
  lineage,
  typedProperties,
  typeOf,
} from './declared-rules';
import { OpenWireClassError } from './errors';

/** How a class is looked at. */
export interface WireTerms {
  /** class-transformer's own. */
  readonly options?: ClassTransformOptions;
  /** Whether every class that is reached must be closed, and known beforehand. */
  readonly isHardened?: boolean;
}

/** What is wrong with a class, and with every class its `@Type`s lead to; the codes are those of `answerFaults`. */
export function wireClassFindings(
  type: unknown,
  terms: WireTerms = {},
  seen = new Set<unknown>(),
): AnswerFinding[] {
  if (typeof type !== 'function' || seen.has(type)) return [];
  seen.add(type);
  const own = [...heirFindings(type), ...untypedFindings(type)];
  if (terms.isHardened && own.length === 0) own.push(...hardenedFindings(type, terms));
  return [...own, ...partClasses(type).flatMap((part) => wireClassFindings(part, terms, seen))];
}

/**
 * Rejects a class that would send more than it says.
 *
 * @throws OpenWireClassError for the first finding
 */
export function refuseOpenClass(type: unknown): void {
  assertNone(wireClassFindings(type));
}

/**
 * Rejects a class that extends a closed one without being closed itself: class-transformer would send every field.
 *
 * @throws OpenWireClassError naming both classes and the remedy
 */
export function refuseOpenHeir(type: unknown): void {
  assertNone(heirFindings(type));
}

function assertNone([first]: readonly AnswerFinding[]): void {
  if (first) throw new OpenWireClassError(`${first.problem}. ${first.remedy}.`);
}

function heirFindings(type: unknown): AnswerFinding[] {
  const closed = isClosed(type) ? undefined : lineage(type).slice(1).find(isClosed);
  if (closed === undefined) return [];
  return [
    {
      code: 'SLUICE-C206',
      problem: `${nameOf(type)} extends ${nameOf(closed)}, which is @Exclude()d as a whole, but is not so itself and would send every field it is given`,
      remedy: `Put @Exclude() on ${nameOf(type)} too`,
      ...(typeof type === 'function' && { place: { type } }),
    },
  ];
}

function untypedFindings(type: Function): AnswerFinding[] {
  return exposedProperties(type).flatMap((property): AnswerFinding[] => {
    const held = notedType(type, property);
    if (typeOf(type, property) !== undefined || !carriesRules(held)) return [];
    return [
      {
        code: 'SLUICE-C207',
        problem: `${type.name}.${property} is a ${nameOf(held)}, whose rules do not apply to a row in its place`,
        remedy: `Put @Type(() => ${nameOf(held)}) on it`,
        place: { type, member: property },
      },
    ];
  });
}

function hardenedFindings(type: Function, { options }: WireTerms): AnswerFinding[] {
  if (isSentAsItIs(type)) return [];
  const isOpen = !isClosed(type) && options?.strategy !== 'excludeAll' && !options?.excludeExtraneousValues;
  return [...(isOpen ? [openFinding(type)] : []), ...unknownFindings(type), ...mapFindings(type)];
}

function openFinding(type: Function): AnswerFinding {
  return {
    code: 'SLUICE-C202',
    problem: `${type.name} sends every field it is given, those that it does not name as well`,
    remedy: `Put @Exclude() on ${type.name} and @Expose() on each field that is sent`,
    place: { type },
  };
}

function unknownFindings(type: Function): AnswerFinding[] {
  return [...typedProperties(type)]
    .filter((property) => {
      const declared = typeOf(type, property);
      return declared?.options?.discriminator === undefined && namedType(declared) === undefined;
    })
    .map((property) => ({
      code: 'SLUICE-C203',
      problem: `${type.name}.${property} does not tell its class before there is a value`,
      remedy: 'Name it with @Type(() => Class), or several with a discriminator',
      place: { type, member: property },
    }));
}

function mapFindings(type: Function): AnswerFinding[] {
  return exposedProperties(type)
    .filter((property) => typeOf(type, property) === undefined && notedType(type, property) === Map)
    .map((property) => ({
      code: 'SLUICE-C204',
      problem: `${type.name}.${property} is a Map that does not tell the class of its entries`,
      remedy: 'Name it with @Type(() => Class)',
      place: { type, member: property },
    }));
}

/** The classes that the `@Type`s of a class name. */
function partClasses(type: Function): unknown[] {
  return [...typedProperties(type)].flatMap((property) => {
    const declared = typeOf(type, property);
    const subTypes = declared?.options?.discriminator?.subTypes.map(({ value }): unknown => value) ?? [];
    return [...subTypes, namedType(declared)].filter((part) => !isSentAsItIs(part));
  });
}

/** A type function that looks at the value cannot be asked without one; where there is none, the compiler's note counts. */
function namedType(declared: DeclaredType | undefined): unknown {
  const typeFunction: Function | undefined = declared?.typeFunction;
  if (typeFunction === undefined) return declared?.reflectedType;
  return ignoresArguments(typeFunction) ? typeFunction() : undefined;
}

const sentAsTheyAre = new Set<unknown>([String, Number, Boolean, Date, Buffer, Object]);

/** What says nothing about fields: `@Type(() => Object)` is the word for JSON of any form. */
function isSentAsItIs(type: unknown): boolean {
  return sentAsTheyAre.has(type);
}

function notedType(type: Function, property: string): unknown {
  return Reflect.getMetadata('design:type', type.prototype, property);
}

function nameOf(type: unknown): string {
  return typeof type === 'function' ? type.name : String(type);
}
