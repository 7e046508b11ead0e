import type { JsonSchema } from '@app/engine';
import type { ResponseChoice } from './response/response-choice';
import { forEveryAudience } from './audiences/addressed-members';
import { readAudienceGroup } from './audiences/expose';
import { responseGroups } from './audiences/response-classes';
import { responseSchema, type ReferResponse } from './response/response-schema';
import { type Describe, membersOf, undescribed, withDescription } from './descriptions';
import { withExample } from './examples/member-example';
import { type InputType, inputSchema, type ObjectSchema, type Refer } from './input/input-schema';
import { asResponseVariant } from './response/response-variants';
import { asInputVariant } from './input/input-variants';
import type { InputVariant, Variant } from './input/variant';

/** The named schemas of a document. A class has a schema for each form in which it is used. */
export class Components {
  private readonly named = new Map<string, JsonSchema>();
  private readonly references = new Map<string, JsonSchema>();
  private readonly ids = new Map<Function, number>();
  private readonly asked = new Set<string>();
  /** The names that several schemas asked for: a class that is accepted and sent, or two classes. */
  readonly shared = new Set<string>();

  /**
   * @param describe the texts of classes and members; default no texts
   * @param qualified the names that state how their class is used, such as `Post.input`, independent of the route order
   */
  constructor(
    readonly describe: Describe = undescribed,
    private readonly qualified: ReadonlySet<string> = new Set(),
  ) {}

  /**
   * Returns a reference to a class as it is accepted, for the given validation groups.
   *
   * @param isOpen whether unknown members are accepted and removed
   */
  input(type: InputType, groups: readonly string[], variant?: InputVariant, isOpen = false): JsonSchema {
    const refer: Refer = (part, partVariant) => this.input(part, groups, partVariant, isOpen);
    const form = {
      key: `in ${isOpen} ${JSON.stringify(variant)}`,
      name: ['input', isOpen ? 'open' : undefined, variantName(variant)],
    };
    return this.refer(form, type, groups, (name) => {
      const schema = inputSchema(type, groups, refer, membersOf(this.describe, type, name), { isOpen });
      return asInputVariant(schema, variant);
    });
  }

  /**
   * Returns a reference to a class as it is sent to any audience. Groups that the class does not use are ignored.
   */
  response(type: Function, { groups, version }: ResponseChoice, variant?: Variant): JsonSchema {
    const used = responseGroups(type);
    const addressed = forEveryAudience(type, { groups, version });
    const chosen = { ...addressed, groups: addressed.groups.filter((group) => used.has(group)) };
    const refer: ReferResponse = (part, partVariant) => this.response(part, chosen, partVariant);
    const form = {
      key: `out ${version} ${JSON.stringify(variant)}`,
      name: [version === undefined ? undefined : `v${version}`, variantName(variant)],
    };
    return this.refer(form, type, chosen.groups, (name) => {
      const schema = responseSchema(type, chosen, refer, membersOf(this.describe, type, name));
      return asResponseVariant(schema, type, variant, chosen);
    });
  }

  /** Adds a schema under a name. */
  add(name: string, schema: JsonSchema): JsonSchema {
    this.named.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Returns the schemas, ordered by name. */
  all(): Readonly<Record<string, JsonSchema>> {
    const sorted = [...this.named].toSorted(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(sorted);
  }

  private refer(
    form: { readonly key: string; readonly name: readonly (string | undefined)[] },
    type: Function,
    groups: readonly string[],
    make: (name: string) => ObjectSchema,
  ): JsonSchema {
    const key = [form.key, this.idOf(type), ...groups].join(' ');
    const existing = this.references.get(key);
    if (existing) return existing;
    const named = groups.filter((group) => readAudienceGroup(group) === undefined);
    const name = this.nameFor([type.name, ...named.map(plain)].join('.'), form.name);
    const reference = this.add(name, {});
    // A class may be recursive: its name is registered before its schema is made.
    this.references.set(key, reference);
    this.add(name, withDescription(withExamples(make(name), type), this.describe({ key: name, type })));
    return reference;
  }

  private nameFor(name: string, form: readonly (string | undefined)[]): string {
    if (this.asked.has(name)) this.shared.add(name);
    this.asked.add(name);
    const parts = this.qualified.has(name) ? form.filter((part) => part !== undefined) : [];
    return this.freeName([name, ...parts.map(plain)].join('.'));
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

function variantName(variant: InputVariant | undefined): string | undefined {
  if (variant === undefined) return undefined;
  return 'name' in variant ? variant.name : 'other';
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
