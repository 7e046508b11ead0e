import { type JsonSchema, readTransforms } from '@app/engine';
import { responseMembers } from '../response/response-schema';
import type { RouteDescription } from '../route-description';
import { schemaOf } from '../schema';

/** A member of a response that the description cannot type. */
export interface UntypedMember {
  readonly type: Function;
  readonly member: string;
}

/**
 * Finds response members without a type in the description. The compiler's metadata is `Object` or missing for `string | null`,
 * for mixed enums of strings and numbers, and for transform results. Clients would get `unknown`.
 */
export function untypedMembers({ response }: RouteDescription): readonly UntypedMember[] {
  if (response === undefined) return [];
  const untyped: UntypedMember[] = [];
  const seen = new Set<Function>();
  const visit = (type: Function): JsonSchema => {
    if (seen.has(type)) return {};
    seen.add(type);
    for (const { property, schema } of responseMembers(type, response, visitPart).members) {
      if (!isTyped(schema) && !isDeclared(type, property)) untyped.push({ type, member: property });
    }
    return {};
  };
  const visitPart = (type: Function): JsonSchema => ({ ...visit(type), $ref: type.name });
  visit(response.body);
  return untyped;
}

/** Returns whether `@Schema` declares the type, or `@Type(() => Object)` for any JSON. */
function isDeclared(type: Function, property: string): boolean {
  const { typeFunction } = readTransforms(type).typeOf.get(property) ?? {};
  return schemaOf(type, property) !== undefined || typeFunction !== undefined;
}

const annotations = new Set(['description', 'title', 'default', 'examples', 'deprecated']);

function isTyped(schema: JsonSchema): boolean {
  return Object.keys(schema).some((keyword) => !annotations.has(keyword));
}
