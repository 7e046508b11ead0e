import { isFunction } from '../../shapes/values';
import {
  ancestry,
  exposedProperties,
  hasTransforms,
  isClosed,
  typedProperties,
  typeOf,
} from '../../shapes/transforms/declared-rules';
import type { DeclaredType } from '../../shapes/transforms/storage';
import type { ClassTransformOptions } from 'class-transformer';
import type { ResponseFinding } from './response-faults';
import { ignoresArguments } from '../plan/ignores-arguments';
import { OpenWireClassError } from '../errors';

/** The options for checking a class. */
export interface WireClassOptions {
  /** The class-transformer options. */
  readonly options?: ClassTransformOptions;
  /** Whether every reachable class must be closed, and known independently from a value. */
  readonly isHardened?: boolean;
}

/** Returns the findings about a class and about every class that its `@Type`s refer to. The codes come from `responseFaults`. */
export function wireClassFindings(
  type: unknown,
  terms: WireClassOptions = {},
  seen = new Set<unknown>(),
): ResponseFinding[] {
  if (!isFunction(type) || seen.has(type)) return [];
  seen.add(type);
  const own = [...subclassFindings(type), ...untypedFindings(type)];
  if (terms.isHardened && own.length === 0) own.push(...hardenedFindings(type, terms));
  return [...own, ...partClasses(type).flatMap((part) => wireClassFindings(part, terms, seen))];
}

/**
 * Rejects a class that would send more than it declares.
 *
 * @throws OpenWireClassError for the first finding
 */
export function assertClosedClass(type: unknown): void {
  assertNone(wireClassFindings(type));
}

/**
 * Rejects an open class, or a class that has an open nested class.
 *
 * @throws OpenWireClassError for the first finding
 */
export function assertClosedHardened(type: unknown): void {
  assertNone(wireClassFindings(type, { isHardened: true }));
}

function assertNone([first]: readonly ResponseFinding[]): void {
  if (first) throw new OpenWireClassError(`${first.problem}. ${first.remedy}.`);
}

function subclassFindings(type: unknown): ResponseFinding[] {
  const closed = isClosed(type) ? undefined : ancestry(type).slice(1).find(isClosed);
  if (closed === undefined) return [];
  return [
    {
      code: 'SLUICE-C206',
      problem: `${nameOf(type)} extends ${nameOf(closed)}, which has a class-level @Exclude(), but has none itself and would send every field`,
      remedy: `Put @Exclude() on ${nameOf(type)} too`,
      ...(isFunction(type) && { place: { type } }),
    },
  ];
}

function untypedFindings(type: Function): ResponseFinding[] {
  return exposedProperties(type).flatMap((property): ResponseFinding[] => {
    const memberType = compilerType(type, property);
    if (typeOf(type, property) !== undefined || !hasTransforms(memberType)) return [];
    return [
      {
        code: 'SLUICE-C207',
        problem: `${type.name}.${property} is a ${nameOf(memberType)}, whose rules do not apply to a row in its place`,
        remedy: `Put @Type(() => ${nameOf(memberType)}) on it`,
        place: { type, member: property },
      },
    ];
  });
}

function hardenedFindings(type: Function, { options }: WireClassOptions): ResponseFinding[] {
  if (isSentUnchanged(type)) return [];
  const isOpen = !isClosed(type) && options?.strategy !== 'excludeAll' && !options?.excludeExtraneousValues;
  return [...(isOpen ? [openFinding(type)] : []), ...unknownFindings(type), ...mapFindings(type)];
}

function openFinding(type: Function): ResponseFinding {
  return {
    code: 'SLUICE-C202',
    problem: `${type.name} sends every field, including those that it does not declare`,
    remedy: `Put @Exclude() on ${type.name} and @Expose() on each field that is sent`,
    place: { type },
  };
}

function unknownFindings(type: Function): ResponseFinding[] {
  return [...typedProperties(type)]
    .filter((property) => {
      const declared = typeOf(type, property);
      return declared?.options?.discriminator === undefined && namedType(declared) === undefined;
    })
    .map((property) => ({
      code: 'SLUICE-C203',
      problem: `${type.name}.${property} has a class that depends on the value`,
      remedy: 'Declare it with @Type(() => Class), or several with a discriminator',
      place: { type, member: property },
    }));
}

function mapFindings(type: Function): ResponseFinding[] {
  return exposedProperties(type)
    .filter((property) => typeOf(type, property) === undefined && compilerType(type, property) === Map)
    .map((property) => ({
      code: 'SLUICE-C204',
      problem: `${type.name}.${property} is a Map without the class of its entries`,
      remedy: 'Declare it with @Type(() => Class)',
      place: { type, member: property },
    }));
}

/** Returns the classes in a class's `@Type`s. */
function partClasses(type: Function): unknown[] {
  return [...typedProperties(type)].flatMap((property) => {
    const declared = typeOf(type, property);
    const subTypes = declared?.options?.discriminator?.subTypes.map(({ value }): unknown => value) ?? [];
    return [...subTypes, namedType(declared)].filter((part) => !isSentUnchanged(part));
  });
}

/**
 * Returns the declared class; `undefined` if the type function depends on the value. If the type function is missing, the
 * compiler's metadata applies.
 */
function namedType(declared: DeclaredType | undefined): unknown {
  const typeFunction: Function | undefined = declared?.typeFunction;
  if (typeFunction === undefined) return declared?.reflectedType;
  return ignoresArguments(typeFunction) ? typeFunction() : undefined;
}

const sentAsTheyAre = new Set<unknown>([String, Number, Boolean, Date, Buffer, Object]);

/** Whether a type has no fields: `@Type(() => Object)` declares JSON in any form. */
function isSentUnchanged(type: unknown): boolean {
  return sentAsTheyAre.has(type);
}

function compilerType(type: Function, property: string): unknown {
  return Reflect.getMetadata('design:type', type.prototype, property);
}

function nameOf(type: unknown): string {
  return isFunction(type) ? type.name : String(type);
}
