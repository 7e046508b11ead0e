import { readTransforms, selectKeys, selectTransforms } from '@app/shapes';
import { isKeptAsItIs } from '../instance';
import { generateList, generateText, type Program } from './generate';
import type { EmitContext } from './layout';
import type { FullOptions } from './options';
import { type Field, type Given, planClass } from './plan';
import { readsAsRow } from './reads-as-row';
import { readsValueOnly } from './reads-value-only';
import { needsReference } from './text/json-text';
import type { ClassWriter, Values } from './values';

/**
 * What a plain object is taken for.
 *
 * `row`: a store's; its properties have the names of the class's, and those with a `@Type` are rows in turn.
 * `input`: what `plainToInstance` takes: names as on the wire, transforms and conversions on the way in.
 */
export type Reading = 'row' | 'input';

/** Under which the text of a row can be told without making an instance. */
export interface RowTerms {
  readonly reading: Reading;
  readonly options: FullOptions;
  readonly isHardened: boolean;
}

/**
 * The writers of rows: they throw `needsReference` for a row whose instance could differ from it.
 *
 * @param values of the instances' own serializer, for what a row holds without a declared type
 */
export function rowWriters(terms: RowTerms, values: Values): (type: Function) => ClassWriter {
  const writers = new Map<Function, LazyRowWriter>();
  const writerOf = (type: Function): ClassWriter => {
    const writer = writers.get(type) ?? new LazyRowWriter(type, context, terms);
    writers.set(type, writer);
    return writer;
  };
  const context: EmitContext = {
    options: terms.options,
    writerOf,
    values: rowValues(terms.reading, values),
    path: undefined,
  };
  return writerOf;
}

/** As for instances, but for what an instance would hold otherwise than the row does. */
function rowValues(reading: Reading, values: Values): Values {
  function json(value: unknown, writer?: ClassWriter): unknown {
    if (typeof value === 'function') return giveUp();
    if (typeof value !== 'object' || value === null || value instanceof Date) return values.json(value);
    if (Array.isArray(value)) return writer ? writer.listJson(value) : listJson(value);
    if (writer) return writer.json(value);
    return reading === 'row' ? values.json(value) : giveUp();
  }
  function listJson(list: readonly unknown[]): unknown {
    if (reading === 'row') return values.listJson(list);
    const isUsual = Object.getPrototypeOf(list) === Array.prototype && !list.includes(undefined);
    return isUsual ? list.map((one) => itemJson(one)) : giveUp();
  }
  function itemJson(value: unknown, writer?: ClassWriter): unknown {
    return Array.isArray(value) && writer && reading === 'row' ? giveUp() : json(value, writer);
  }
  return {
    plain: giveUp,
    json,
    itemJson,
    listJson: (list, writer) => (writer ? giveUp() : listJson(list)),
    reference: (value, type, isMap) =>
      isKeptAsItIs(type) && typeof value !== 'function' ? values.reference(value, type, isMap) : giveUp(),
    called: giveUp,
    builtInJson: (value, type) =>
      typeof value === 'object' && value !== null && !(value instanceof Date && type === Date)
        ? giveUp()
        : values.builtInJson(value, type),
  };
}

function giveUp(): never {
  throw needsReference;
}

const refusing: Omit<ClassWriter, 'type'> = {
  text: giveUp,
  plain: giveUp,
  json: giveUp,
  list: giveUp,
  many: giveUp,
  listJson: giveUp,
};

class LazyRowWriter implements ClassWriter {
  readonly type: Function;
  text = (value: object): string => this.opened().text(value);
  json = (value: object): unknown => this.opened().json(value);
  list = (values: readonly unknown[]): string => this.opened().list(values);
  listJson = (values: readonly unknown[]): unknown => this.opened().listJson(values);
  plain = giveUp;
  many = giveUp;
  private isOpen = false;
  private readonly context: EmitContext;
  private readonly terms: RowTerms;

  constructor(type: Function, context: EmitContext, terms: RowTerms) {
    this.type = type;
    this.context = context;
    this.terms = terms;
  }

  private opened(): ClassWriter {
    if (this.isOpen) return this;
    this.isOpen = true;
    const { type, context } = this;
    const fields = rowFields(type, this.terms);
    if (fields === undefined) return Object.assign(this, refusing);
    const isReadable = this.terms.reading === 'row' ? readsAsRow(fields) : undefined;
    const layouts = [{ keys: undefined, fields }];
    return this.generate({ type, layouts, context, isReadable, otherwise: refusing });
  }

  /** What is not asked for is not made, as with instances. */
  private generate(program: Program): ClassWriter {
    const text = () => Object.assign(this, generateText(program).made);
    const list = () => Object.assign(this, pick(generateList(program).made));
    return Object.assign(this, {
      text: (value: object) => text().text(value),
      json: (value: object) => list().json(value),
      list: (values: readonly unknown[]) => list().list(values),
      listJson: (values: readonly unknown[]) => list().listJson(values),
    });
  }
}

function pick({ json, list, listJson }: Pick<ClassWriter, 'json' | 'list' | 'listJson'>) {
  return { json, list, listJson };
}

/** The fields of rows of a class, or `undefined` when an instance has to be made to know. */
function rowFields(type: Function, terms: RowTerms): readonly Field[] | undefined {
  const plan = planClass(type, terms.options, terms.isHardened);
  if (typeof plan === 'string' || plan.takesOwnKeys || !isBare(type)) return undefined;
  const fields = plan.fieldsOf([]);
  if (typeof fields === 'string' || !fields.every((field) => isOfRow(field, terms))) return undefined;
  const { typeOf } = readTransforms(type);
  if (fields.some(({ property, part }) => part.kind === 'any' && typeOf.has(property))) return undefined;
  if (terms.reading === 'row') return fields;
  return isSameComingIn(type, fields, terms) ? fields.map(forPrimitives) : undefined;
}

/** What comes in is copied, so that a transform never sees an object of the row's. */
function forPrimitives(field: Field): Field {
  return { ...field, transforms: field.transforms.map(guarded) };
}

function guarded(transform: (given: Given) => unknown): (given: Given) => unknown {
  return ({ value }) => (typeof value === 'object' && value !== null ? giveUp() : transform({ value }));
}

/** Neither a member of the class nor of every object, and nobody looks at the instance. */
function isOfRow({ property, isMember, transforms, part }: Field, { reading }: RowTerms): boolean {
  const isOwn = !isMember && !(property in Object.prototype);
  if (part.kind === 'reference' && (reading === 'input' || !isKeptAsItIs(part.type))) return false;
  if (part.kind === 'class' && transforms.length > 0) return false;
  return isOwn && transforms.every(readsValueOnly);
}

/**
 * Whether an instance of a class starts with nothing, and always will: no constructor, no field with a value. Nor may
 * it say of itself that it is of another class, or a promise: class-transformer goes by that.
 */
function isBare(type: Function): boolean {
  const { constructor: said }: { constructor: unknown } = type.prototype;
  if (said !== type || 'then' in type.prototype) return false;
  for (let one: unknown = type; one !== Function.prototype; one = Object.getPrototypeOf(one)) {
    const source = Function.prototype.toString.call(one);
    if (!source.startsWith('class') || source.includes('constructor')) return false;
  }
  try {
    return Reflect.ownKeys(Reflect.construct(type, []) as object).length === 0;
  } catch {
    return false;
  }
}

/** Whether plainToInstance would leave every field of the text as it came. */
function isSameComingIn(
  type: Function,
  fields: readonly Field[],
  { options, isHardened }: RowTerms,
): boolean {
  if (options.enableImplicitConversion || options.ignoreDecorators || isHardened) return false;
  const shape = readTransforms(type);
  const incoming = selectKeys(shape, 'toClass', options);
  const names = fields.map(({ property }) => property);
  return (
    fields.every(({ name, property }) => name === property) &&
    shape.exposed.every(({ name }) => !name) &&
    names.join('\\n') === incoming.exposed.join('\\n') &&
    names.every((name) => selectTransforms(shape, name, 'toClass', options).length === 0) &&
    [...shape.typeOf.values()].every(({ reflectedType }) => isOrdinaryList(reflectedType, type))
  );
}

/** What `design:type` may say where a list is put without another class being made for it. */
function isOrdinaryList(reflectedType: unknown, type: Function): boolean {
  if (reflectedType === undefined || reflectedType === Array || reflectedType === Object) return true;
  if (typeof reflectedType !== 'function' || reflectedType === type) return reflectedType === type;
  return [String, Number, Boolean, Date].some((one) => one === reflectedType) || isBare(reflectedType);
}
