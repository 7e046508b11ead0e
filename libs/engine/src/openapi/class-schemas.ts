import type { InputType, InputVariant, ReferResponse, ReferInput, Variant } from '@app/contract';
import type { JsonSchema } from '@app/shapes';
import { reference } from './document';
import type { InputChoice, OutputChoice } from './choices';
import { correctedInput } from './input-class';
import { correctedOutput } from './output-class';

/** The schemas that the document has for classes, by name. */
export type Declared = Readonly<Record<string, JsonSchema>>;

/** The schemas of classes as they are accepted and sent: one for each way in which the program validates or sends them. */
export class ClassSchemas {
  /** By a temporary name, which no class can have. */
  private readonly made = new Map<
    string,
    { readonly type: Function; readonly groups: readonly string[]; schema: JsonSchema }
  >();
  private readonly ids = new Map<Function, number>();

  constructor(private readonly declared: Declared) {}

  input(type: InputType, choice: InputChoice, variant?: InputVariant): JsonSchema {
    const declared = this.declared[nameOf(type)];
    const refer: ReferInput = (part, one) => this.input(part, choice, one);
    const make = () => correctedInput(type, choice, refer, declared, false, variant);
    return this.refer(`in ${JSON.stringify(variant)}`, type, choice, make);
  }

  output(type: Function, choice: OutputChoice, variant?: Variant): JsonSchema {
    const declared = this.declared[nameOf(type)];
    const { type: _, ...options } = choice;
    const refer: ReferResponse = (part, one) => this.output(part, choice, one);
    const make = () => correctedOutput(type, options, refer, declared, variant);
    return this.refer(`out ${JSON.stringify(variant)}`, type, options, make);
  }

  /** All of them by their names, and the name of each temporary one. */
  named(taken: ReadonlySet<string>): {
    readonly schemas: Declared;
    readonly nameOf: ReadonlyMap<string, string>;
  } {
    const used = new Set(taken);
    const names = new Map<string, string>();
    const schemas: Record<string, JsonSchema> = {};
    for (const [key, { type, groups, schema }] of this.made) {
      const name = freeName([nameOf(type), ...groups.map(plain)].join('.'), used);
      names.set(key, name);
      used.add(name);
      schemas[name] = schema;
    }
    return { schemas, nameOf: names };
  }

  private refer(
    way: string,
    type: Function,
    choice: { readonly groups: readonly string[] },
    make: () => JsonSchema,
  ): JsonSchema {
    const key = `${way} ${this.idOf(type)} ${JSON.stringify(choice)}`;
    if (!this.made.has(key)) {
      const entry = { type, groups: choice.groups, schema: {} };
      // A class may be recursive: it is known before its schema is made.
      this.made.set(key, entry);
      entry.schema = make();
    }
    return reference(key);
  }

  private idOf(type: Function): number {
    const id = this.ids.get(type) ?? this.ids.size;
    this.ids.set(type, id);
    return id;
  }
}

/** The name that @nestjs/swagger gives to the schema of a class. */
export function nameOf(type: Function): string {
  const [options]: { name?: string }[] = Reflect.getMetadata('swagger/apiSchema', type) ?? [];
  return options?.name ?? type.name;
}

function freeName(name: string, used: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name}${count}`;
    if (!used.has(candidate)) return candidate;
  }
}

/** Without what names of components must not contain. */
function plain(group: string): string {
  return group.replaceAll(/[^\w-]/g, '');
}
