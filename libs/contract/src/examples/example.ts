import type { JsonSchema } from '@app/engine';
import { exampleFor } from './member-example';

type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * Makes an example value for a schema.
 *
 * @param schemas the targets of references, by name
 * @param name the member with the schema
 * @returns `undefined` if no example can be made, as for most patterns, unless `@Schema` or `@example` gives a value
 */
export function exampleOf(schema: JsonSchema, schemas: Schemas, name = 'value'): unknown {
  return new Composer(schemas).exampleOf(schema, name, []);
}

class Composer {
  constructor(private readonly schemas: Schemas) {}

  /** @param above the references that led here: a recursive class is left out of its own example */
  exampleOf(schema: JsonSchema, name: string, above: readonly string[]): unknown {
    const { examples, $ref, default: usual, const: only, enum: choices, anyOf, oneOf = anyOf } = schema;
    if (examples) return examples[0];
    if ($ref !== undefined) return above.includes($ref) ? undefined : this.referred($ref, name, above);
    if (usual !== undefined) return usual;
    if (only !== undefined) return only;
    if (choices) return choices[0];
    if (oneOf?.[0]) return this.exampleOf(oneOf[0], name, above);
    return this.ofType(schema, name, above);
  }

  private referred($ref: string, name: string, above: readonly string[]): unknown {
    const target = this.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {};
    return this.exampleOf(target, name, [...above, $ref]);
  }

  private ofType(schema: JsonSchema, name: string, above: readonly string[]): unknown {
    const { type } = schema;
    switch (Array.isArray(type) ? type[0] : type) {
      case 'object':
        return this.objectOf(schema, above);
      case 'array':
        return this.listOf(schema, name, above);
      case 'boolean':
        return true;
      default:
        return exampleFor(schema, name, '');
    }
  }

  /** Makes an example object. Leaves out optional properties without an example. */
  private objectOf({ properties = {}, required = [] }: JsonSchema, above: readonly string[]): unknown {
    const parts = Object.entries(properties).map(([name, part]): [string, unknown] => [
      name,
      this.exampleOf(part, name, above),
    ]);
    const isMissing = parts.some(([name, value]) => value === undefined && required.includes(name));
    return isMissing ? undefined : Object.fromEntries(parts.filter(([, value]) => value !== undefined));
  }

  private listOf({ items = {}, minItems = 1 }: JsonSchema, name: string, above: readonly string[]): unknown {
    const item = this.exampleOf(items, name, above);
    if (item === undefined) return minItems > 1 ? undefined : [];
    return Array.from({ length: minItems }, () => item);
  }
}
