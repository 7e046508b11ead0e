import { isFunction, isObject, keptIn, prototypeOf } from '../../../shapes/values';
import { readTransforms } from '../../../shapes/transforms/transform-shape';
import { generateList, generateOne, type Program as Generated } from '../../emit/generate';
import type { EmitContext } from '../../emit/layout';
import { makeSlowFields } from '../../emit/slow-fields';
import { needsReference } from '../../emit/text/json-text';
import type { ClassWriter, Values } from '../../emit/values';
import { type Field, planClass } from '../../plan/plan-class';
import type { Program } from '../programs';
import { isKeptUnchanged } from './to-instance';
import { readsAsRow } from './reads-as-row';

/** The context for row writers: the context of the instance writers, and the way in which classes are read. */
interface RowWriterContext {
  readonly instances: EmitContext;
  readonly isHardened: boolean;
}

/**
 * Returns the row writer of a class. A row is a store object with properties that have the same names as the class properties.
 * Values with a `@Type` are rows in turn. The writer throws `needsReference` for a row that could differ from its instance.
 */
export function rowWriterOf(program: Program, type: Function): ClassWriter {
  return keptIn(cache, program, () => rowWriters(program))(type);
}

const cache = new WeakMap<Program, (type: Function) => ClassWriter>();

function rowWriters({ context: instances, reading }: Program): (type: Function) => ClassWriter {
  const terms: RowWriterContext = { instances, isHardened: reading.isHardened };
  const writers = new Map<Function, LazyRowWriter>();
  const writerOf = (type: Function): ClassWriter =>
    keptIn(writers, type, () => new LazyRowWriter(type, context, terms));
  const values = rowValues(instances.values);
  const context: EmitContext = {
    ...instances,
    writerOf,
    values,
    slow: makeSlowFields(values, instances.call),
  };
  return writerOf;
}

/** Converts values like for instances, except for values that an instance could hold differently. */
function rowValues(values: Values): Values {
  function json(value: unknown, writer?: ClassWriter): unknown {
    if (isFunction(value)) return throwNeedsReference();
    if (!isObject(value) || value instanceof Date) return values.json(value);
    if (Array.isArray(value)) return writer ? writer.listJson(value) : values.listJson(value);
    return writer ? writer.json(value) : values.json(value);
  }
  return {
    plain: throwNeedsReference,
    json,
    itemJson: (value, writer) =>
      Array.isArray(value) && writer ? throwNeedsReference() : json(value, writer),
    listJson: (list, writer) => (writer ? throwNeedsReference() : values.listJson(list)),
    reference: (value, type, isMap) =>
      isKeptUnchanged(type) && !isFunction(value)
        ? values.reference(value, type, isMap)
        : throwNeedsReference(),
    called: throwNeedsReference,
    builtInJson: (value, type) =>
      isObject(value) && !(value instanceof Date && type === Date)
        ? throwNeedsReference()
        : values.builtInJson(value, type),
  };
}

function throwNeedsReference(): never {
  throw needsReference;
}

const refusing: Omit<ClassWriter, 'type'> = {
  text: throwNeedsReference,
  plain: throwNeedsReference,
  json: throwNeedsReference,
  list: throwNeedsReference,
  many: throwNeedsReference,
  listJson: throwNeedsReference,
};

class LazyRowWriter implements ClassWriter {
  readonly type: Function;
  readonly plain = throwNeedsReference;
  readonly many = throwNeedsReference;
  private readonly context: EmitContext;
  private readonly terms: RowWriterContext;

  constructor(type: Function, context: EmitContext, terms: RowWriterContext) {
    this.type = type;
    this.context = context;
    this.terms = terms;
  }

  // Each of these is called once: it replaces itself by a compiled function on the instance.

  text(value: object): string {
    return this.open().text(value);
  }

  json(value: object): unknown {
    return this.open().json(value);
  }

  list(values: readonly unknown[]): string {
    return this.open().list(values);
  }

  listJson(values: readonly unknown[]): unknown {
    return this.open().listJson(values);
  }

  private open(): ClassWriter {
    const { type, context } = this;
    const fields = rowFields(type, this.terms);
    if (fields === undefined) return Object.assign(this, refusing);
    const layouts = [{ keys: undefined, fields }];
    const { isUnchanged } = readTransforms(type);
    const declared = isUnchanged && { isUnchanged, reopen: () => this.open() };
    return this.generate({
      type,
      layouts,
      context,
      isReadable: readsAsRow(fields),
      otherwise: refusing,
      declared,
    });
  }

  /** Generates the writer. It is compiled on first use, like instance writers. */
  private generate(program: Generated): ClassWriter {
    const text = () => Object.assign(this, generateOne(program, 'text').made);
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

/** Returns the row fields of a class, or `undefined` if only instances reveal them. */
function rowFields(
  type: Function,
  { instances, isHardened }: RowWriterContext,
): readonly Field[] | undefined {
  const plan = planClass(type, instances.options, isHardened);
  if (typeof plan === 'string' || plan.takesOwnKeys || !isBare(type)) return undefined;
  // Excluded fields are sent then, which an instance takes from the row's own only.
  if (instances.options.ignoreDecorators) return undefined;
  const fields = plan.fieldsOf([]);
  if (typeof fields === 'string' || !fields.every(isOfRow)) return undefined;
  const { typeOf } = readTransforms(type);
  return fields.some(({ property, part }) => part.kind === 'any' && typeOf.has(property))
    ? undefined
    : fields;
}

/**
 * Whether a field can be read from a row. Members that the class or `Object.prototype` has are excluded, and so are transforms
 * that use the instance.
 */
function isOfRow({ property, isMember, transforms, part }: Field): boolean {
  const isOwn = !isMember && !(property in Object.prototype);
  if (part.kind === 'selected') return false;
  if (part.kind === 'reference' && !isKeptUnchanged(part.type)) return false;
  if (part.kind === 'class' && transforms.length > 0) return false;
  return isOwn && transforms.every(({ isOfValue }) => isOfValue);
}

/**
 * Whether new instances of a class are empty, because it lacks a constructor and fields with initial values. The class must also
 * lack `constructor` and `then` members, which class-transformer reads.
 */
function isBare(type: Function): boolean {
  const { constructor: own }: { constructor: unknown } = type.prototype;
  if (own !== type || 'then' in type.prototype) return false;
  for (let current: unknown = type; current !== Function.prototype; current = prototypeOf(current)) {
    const source = Function.prototype.toString.call(current);
    if (!source.startsWith('class') || source.includes('constructor')) return false;
  }
  try {
    return Reflect.ownKeys(Reflect.construct(type, []) as object).length === 0;
  } catch {
    return false;
  }
}
