import {
  carriesRules,
  exposedProperties,
  isClosed,
  lineage,
  typedProperties,
  typeOf,
} from './declared-rules';
import { OpenWireClassError } from './errors';

/**
 * Refuses a class that extends a closed one without being closed itself: class-transformer would send every field.
 *
 * @throws OpenWireClassError naming both classes and the remedy
 */
export function refuseOpenHeir(type: unknown): void {
  if (isClosed(type)) return;
  const closed = lineage(type).slice(1).find(isClosed);
  if (closed === undefined) return;
  throw new OpenWireClassError(
    `${nameOf(type)} extends ${nameOf(closed)}, which is @Exclude()d as a whole, but is not so itself and would send every field it is given. Put @Exclude() on ${nameOf(type)} too.`,
  );
}

/**
 * Refuses a class, and every class its `@Type`s lead to, that would send more than it says.
 *
 * Beside {@link refuseOpenHeir}: an exposed property whose class carries rules but which has no `@Type`. A store's
 * row in its place would be sent as it is.
 *
 * @throws OpenWireClassError for the first one found
 */
export function refuseOpenClasses(type: unknown, seen = new Set<unknown>()): void {
  if (typeof type !== 'function' || seen.has(type)) return;
  seen.add(type);
  refuseOpenHeir(type);
  refuseUntypedProperties(type);
  for (const property of typedProperties(type)) {
    for (const next of declaredTypes(type, property)) refuseOpenClasses(next, seen);
  }
}

function refuseUntypedProperties(type: Function): void {
  for (const property of exposedProperties(type)) {
    const held: unknown = Reflect.getMetadata('design:type', type.prototype, property);
    if (typeOf(type, property) !== undefined || !carriesRules(held)) continue;
    throw new OpenWireClassError(
      `${type.name}.${property} is a ${nameOf(held)}, but only @Type(() => ${nameOf(held)}) makes its rules apply to whatever a handler returns.`,
    );
  }
}

function declaredTypes(type: Function, property: string): unknown[] {
  const declared = typeOf(type, property);
  const subTypes = declared?.options?.discriminator?.subTypes.map(({ value }): unknown => value) ?? [];
  return [...subTypes, namedType(declared?.typeFunction) ?? declared?.reflectedType];
}

/** A type function that looks at the value cannot be asked without one; its classes are met when they are sent. */
function namedType(typeFunction: Function | undefined): unknown {
  return typeFunction?.length === 0 ? typeFunction() : undefined;
}

function nameOf(type: unknown): string {
  return typeof type === 'function' ? type.name : String(type);
}
