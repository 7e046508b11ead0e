import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/mapped-types';
import { Exclude, Expose } from 'class-transformer';
import type { Random } from '../random';
import { SELDOM_FIELDS, SOMETIMES_FIELDS, USUAL_FIELDS } from './built-in-fields';
import { CONSTRUCTORS } from './constructors';
import { declareField, type Field } from './field';
import { CONDITION_FIELDS, GROUP_FIELDS, MESSAGE_FIELDS, OWN_RULE_FIELDS } from './own-rule-fields';
import { HUNDRED_FIELDS, ODD_PART_FIELDS, PART_FIELDS } from './part-fields';
import { EXPOSED_FIELDS, TRANSFORM_FIELDS } from './transform-fields';

/** A class, and the fields that a client sends for it. */
export interface Made {
  readonly type: new () => object;
  readonly fields: readonly Field[];
}

/** A class style, and its number of classes in the census. */
export interface Style {
  readonly name: string;
  readonly count: number;
  make(random: Random, at: number): Made;
}

type Start = new () => object;

/** Gives each class the next fields from a list in turn, so that all fields are used, together with some usual fields. */
function styleOf(name: string, count: number, special: readonly Field[], most = 2): Style {
  return {
    name,
    count,
    make(random, at) {
      const own = Array.from({ length: most }, (_, step) => special[(at * most + step) % special.length]!);
      return declared(class {}, [...someUsual(random, 2, 5), ...own]);
    },
  };
}

function someUsual(random: Random, least: number, most: number): Field[] {
  const usual = random.shuffled(USUAL_FIELDS).slice(0, least + random.below(most - least + 1));
  return random.chance(30) ? [...usual, random.pick(SOMETIMES_FIELDS)] : usual;
}

/** Declares the fields on a class. If two fields have the same name, the last field is used. */
function declared(type: Start, all: readonly Field[]): Made {
  const fields = [...new Map(all.map((field) => [field.name, field])).values()];
  for (const field of fields) declareField(type, field);
  return { type, fields };
}

/** Derives a class, like `class Update… extends PartialType(Create…) {}`. */
const MAPPED: readonly ((base: Made, random: Random) => Made)[] = [
  ({ type, fields }) => ({ type: class extends (PartialType(type) as Start) {}, fields }),
  ({ type, fields }) => {
    const kept = fields.slice(0, 3);
    return { type: class extends (PickType(type, namesOf(kept)) as Start) {}, fields: kept };
  },
  ({ type, fields }) => {
    const kept = fields.slice(1);
    return { type: class extends (OmitType(type, namesOf(fields.slice(0, 1))) as Start) {}, fields: kept };
  },
  ({ type, fields }, random) => {
    const second = declared(class {}, someUsual(random, 2, 4));
    const all = new Map([...fields, ...second.fields].map((field) => [field.name, field]));
    const joined = IntersectionType(type, second.type) as Start;
    return { type: class extends joined {}, fields: [...all.values()] };
  },
  ({ type, fields }) => {
    const omitted = OmitType(type, namesOf(fields.slice(0, 1))) as Start;
    return { type: class extends (PartialType(omitted) as Start) {}, fields: fields.slice(1) };
  },
];

function namesOf(fields: readonly Field[]): never[] {
  return fields.map(({ name }) => name) as never[];
}

const mapped: Style = {
  name: 'mapped types',
  count: 30,
  make(random, at) {
    const special = [undefined, TRANSFORM_FIELDS, PART_FIELDS][at % 3];
    const fields = [...someUsual(random, 3, 6), ...(special ? [random.pick(special)] : [])];
    return MAPPED[at % MAPPED.length]!(declared(class {}, fields), random);
  },
};

const constructors: Style = {
  name: 'constructors',
  count: 40,
  make(random, at) {
    const base = CONSTRUCTORS[at % CONSTRUCTORS.length]!;
    return declared(base.make(), [
      ...someUsual(random, 3, 6),
      ...(at % 4 === 3 ? [random.pick(TRANSFORM_FIELDS)] : []),
      ...base.fields,
    ]);
  },
};

const inherited: Style = {
  name: 'inheritance',
  count: 12,
  make(random) {
    const above = declared(class {}, someUsual(random, 2, 4));
    const own = declared(class extends above.type {}, someUsual(random, 1, 3));
    const all = new Map([...above.fields, ...own.fields].map((field) => [field.name, field]));
    return { type: own.type, fields: [...all.values()] };
  },
};

const exposed: Style = {
  name: 'expose and exclude',
  count: 16,
  make(random, at) {
    const own = [
      EXPOSED_FIELDS[at % EXPOSED_FIELDS.length]!,
      EXPOSED_FIELDS[(at + 3) % EXPOSED_FIELDS.length]!,
    ];
    const result = declared(class {}, [...someUsual(random, 2, 4), ...own]);
    if (at % 4 === 1) Exclude()(result.type);
    if (at % 4 === 2) Expose()(result.type);
    if (at % 4 === 1) for (const { name } of result.fields) Expose()(result.type.prototype as object, name);
    return result;
  },
};

/** All census styles, with approximately their shares in public programs. */
export const STYLES: readonly Style[] = [
  { name: 'usual', count: 70, make: (random) => declared(class {}, someUsual(random, 3, 9)) },
  styleOf('seldom rules', 40, SELDOM_FIELDS),
  styleOf('transforms', 40, TRANSFORM_FIELDS),
  constructors,
  mapped,
  styleOf('own rules', 16, OWN_RULE_FIELDS, 1),
  styleOf('conditions', 10, CONDITION_FIELDS, 1),
  styleOf('messages and contexts', 8, MESSAGE_FIELDS, 1),
  styleOf('groups', 6, GROUP_FIELDS, 1),
  styleOf('parts', 18, PART_FIELDS, 1),
  styleOf('odd parts', 14, ODD_PART_FIELDS, 1),
  exposed,
  inherited,
  { name: 'a hundred fields', count: 1, make: () => declared(class {}, HUNDRED_FIELDS) },
];
