import type { JsonSchema } from '@app/shapes';
import type { ResponseChoice } from './response/response-choice';
import { responseGroups, responseSchema, type ReferResponse } from './response/response-schema';
import { type Describe, membersOf, undescribed, withDescription } from './descriptions';
import { withExample } from './examples/member-example';
import { type InputType, inputSchema, type ObjectSchema, type Refer } from './input/input-schema';
import { asResponseVariant } from './response/response-variants';
import { asInputVariant } from './input/input-variants';
import type { InputVariant, Variant } from './input/variant';

/** The named schemas of one document; a class has one for each of its forms. */
export class Components {
  private readonly named = new Map<string, JsonSchema>();
  private readonly known = new Map<string, JsonSchema>();
  private readonly ids = new Map<Function, number>();

  /** @param describe texts of classes and members; default none */
  constructor(readonly describe: Describe = undescribed) {}

  /** A reference to a class as it is accepted, with some of its validation groups. */
  input(type: InputType, groups: readonly string[], variant?: InputVariant): JsonSchema {
    const refer: Refer = (part, one) => this.input(part, groups, one);
    return this.refer(`in ${JSON.stringify(variant)}`, type, groups, (name) => {
      const schema = inputSchema(type, groups, refer, membersOf(this.describe, type, name));
      return asInputVariant(schema, variant);
    });
  }

  /** A reference to a class as it is sent. Groups that the class does not use are ignored. */
  response(type: Function, { groups, version }: ResponseChoice, variant?: Variant): JsonSchema {
    const used = responseGroups(type);
    const chosen = { groups: groups.filter((group) => used.has(group)), version };
    const refer: ReferResponse = (part, one) => this.response(part, chosen, one);
    return this.refer(`out ${version} ${JSON.stringify(variant)}`, type, chosen.groups, (name) => {
      const schema = responseSchema(type, chosen, refer, membersOf(this.describe, type, name));
      return asResponseVariant(schema, type, variant, chosen);
    });
  }

  /** Adds a schema under a name. */
  add(name: string, schema: JsonSchema): JsonSchema {
    this.named.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Ordered by name. */
  all(): Readonly<Record<string, JsonSchema>> {
    const sorted = [...this.named].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(sorted);
  }

  private refer(
    way: string,
    type: Function,
    groups: readonly string[],
    make: (name: string) => ObjectSchema,
  ): JsonSchema {
    const key = [way, this.idOf(type), ...groups].join(' ');
    const known = this.known.get(key);
    if (known) return known;
    const name = this.freeName([type.name, ...groups.map(plain)].join('.'));
    const reference = this.add(name, {});
    // A class may be recursive: its name is registered before its schema is made.
    this.known.set(key, reference);
    this.add(name, withDescription(withExamples(make(name), type), this.describe({ key: name, type })));
    return reference;
  }

  private freeName(name: string): string {
    for (let count = 1; ; count += 1) {
      const candidate = count === 1 ? name : `${name}${count}`;
      if (!this.named.has(candidate)) return candidate;
    }
  }

  private idOf(type: Function): number {
    const id = this.ids.get(type) ?? this.ids.size;
    this.ids.set(type, id);
    return id;
  }
}

function withExamples(schema: ObjectSchema, { name: owner }: Function): ObjectSchema {
  const members = Object.entries(schema.properties).map(([name, member]) => [
    name,
    withExample(member, name, owner),
  ]);
  return { ...schema, properties: Object.fromEntries(members) };
}

/** Removes the characters that component names must not contain. */
function plain(group: string): string {
  return group.replaceAll(/[^\w-]/g, '');
}
