import type { JsonSchema } from '@app/shapes';
import { type AnswerChoice, answerGroups, answerSchema } from './answer/answer-schema';
import { type InputType, inputSchema, type ObjectSchema } from './input/input-schema';

/** The named schemas of one document: each class once for every shape it has on the wire. */
export class Components {
  private readonly named = new Map<string, JsonSchema>();
  private readonly known = new Map<string, JsonSchema>();
  private readonly ids = new Map<Function, number>();

  /** Refers to a class as it is taken from callers, under some of its validation groups. */
  input(type: InputType, groups: readonly string[]): JsonSchema {
    return this.refer('in', type, groups, () =>
      inputSchema(type, groups, (part) => this.input(part, groups)),
    );
  }

  /** Refers to a class as it is sent. A group that no part of it knows makes no difference. */
  answer(type: Function, { groups, version }: AnswerChoice): JsonSchema {
    const told = answerGroups(type);
    const chosen = { groups: groups.filter((group) => told.has(group)), version };
    return this.refer(`out ${version}`, type, chosen.groups, () =>
      answerSchema(type, chosen, (part) => this.answer(part, chosen)),
    );
  }

  /** Gives a schema a name of its own. */
  add(name: string, schema: JsonSchema): JsonSchema {
    this.named.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** By name, in the order of the alphabet. */
  all(): Readonly<Record<string, JsonSchema>> {
    const sorted = [...this.named].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(sorted);
  }

  private refer(
    way: string,
    type: Function,
    groups: readonly string[],
    make: () => ObjectSchema,
  ): JsonSchema {
    const key = [way, this.idOf(type), ...groups].join(' ');
    const known = this.known.get(key);
    if (known) return known;
    const name = this.freeName([type.name, ...groups.map(plain)].join('.'));
    const reference = this.add(name, {});
    // A class may hold itself: its name is there before its schema is.
    this.known.set(key, reference);
    this.add(name, make());
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

/** What a component may be called; of the rest, nothing is kept. */
function plain(group: string): string {
  return group.replaceAll(/[^\w-]/g, '');
}
