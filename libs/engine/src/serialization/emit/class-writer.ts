import { isFunction, prototypeOf } from '../../shapes/values';
import type { Assembled } from '../../shapes/code/assemble';
import { reportFallback } from '../../shapes/report-fallback';
import { type ClassPlan, type Field, isNative, type OpenFields, planClass } from '../plan/plan-class';
import { type DeclaredOptions, generateList, generateOne, type Program } from './generate';
import type { EmitContext, Layout, LayoutWriter } from './layout';
import { jsonText } from './text/json-text';
import { listText } from './text/list-text';
import type { ClassWriter } from './values';

/** The number of key orders that are compiled separately. Values with further key orders are written key by key. */
const GENERATED_LAYOUTS = 4;

/** Explains how a class is written. */
export interface ExplainedClass {
  readonly name: string;
  readonly mode: 'generated' | 'library';
  /** The reason why it falls back to class-transformer. */
  readonly reason?: string;
  /** The source generated so far. */
  readonly source?: string;
}

/** The members that are replaced when a writer is compiled. */
type Installed = Omit<ClassWriter, 'type'>;

/** The plan of a class, after reading it. */
type Opened = { readonly reason: string } | { readonly plan: ClassPlan };

/** Writes the values of a class. It is compiled at its first value, when every class that it refers to exists. */
export class LazyClassWriter implements ClassWriter {
  readonly type: Function;
  readonly #context: EmitContext;
  readonly #isHardened: boolean;
  #opened: Opened | undefined;
  readonly #layouts: Layout[] = [];
  #openLayout: OpenFields | undefined;
  #programs: readonly Assembled<Partial<Installed>>[] = [];

  constructor(type: Function, context: EmitContext, isHardened: boolean) {
    this.type = type;
    this.#context = context;
    this.#isHardened = isHardened;
  }

  // Each of these is called once: it replaces itself by a compiled function on the instance.

  text(value: object): string {
    return this.#open().text(value);
  }

  plain(value: object): unknown {
    return this.#open().plain(value);
  }

  json(value: object): unknown {
    return this.#open().json(value);
  }

  list(values: readonly unknown[]): string {
    return this.#open().list(values);
  }

  many(values: readonly unknown[]): string {
    return this.#open().many(values);
  }

  listJson(values: readonly unknown[]): unknown {
    return this.#open().listJson(values);
  }

  explain(): ExplainedClass {
    if (this.#opened === undefined) this.#open();
    const { name } = this.type;
    if (this.#opened !== undefined && 'reason' in this.#opened)
      return { name, mode: 'library', reason: this.#opened.reason };
    const source = this.#programs.map((program) => program.source).join('\n');
    return { name, mode: 'generated', ...(source !== '' && { source }) };
  }

  /** Returns the writers for the classes that this class refers to. */
  parts(): readonly ClassWriter[] {
    if (this.#opened === undefined) this.#open();
    return this.#layouts
      .flatMap(({ fields }) => fields)
      .flatMap(({ part }): unknown[] => {
        if (part.kind === 'selected') return part.discriminator.subTypes.map(({ value }) => value);
        return part.kind === 'class' ? [part.type] : [];
      })
      .filter((type) => isFunction(type))
      .map((type) => this.#context.writerOf(type));
  }

  #open(): ClassWriter {
    this.#layouts.length = 0;
    this.#openLayout = undefined;
    const opened = this.#read();
    this.#opened = opened;
    if ('reason' in opened) {
      if (!isNative(this.type)) reportFallback(this.type, opened.reason, undefined, 'serialized');
      return this.#install(libraryWriter(this.type, this.#context));
    }
    return opened.plan.takesOwnKeys ? this.#install(this.#learning(opened.plan)) : this.#generate();
  }

  /** Reads the plan. If the class cannot be read, class-transformer throws the same error for every value. */
  #read(): Opened {
    try {
      const plan = planClass(this.type, this.#context.options, this.#isHardened);
      if (typeof plan === 'string') return { reason: plan };
      const fields = plan.fieldsOf([]);
      if (plan.takesOwnKeys) return { plan };
      if (typeof fields === 'string') return { reason: fields };
      this.#layouts.push({ keys: undefined, fields });
      return { plan };
    } catch (error) {
      return { reason: `it cannot be read: ${String(error)}` };
    }
  }

  /**
   * Installs the generated forms. Each form is compiled on first use, because most classes are only written alone or in lists.
   */
  #generate(): ClassWriter {
    const text = () => this.#add(generateOne(this.#program(), 'text')).text;
    const plain = () => this.#add(generateOne(this.#program(), 'plain')).plain;
    const list = () => this.#add(generateList(this.#program()));
    this.#programs = [];
    return this.#install({
      text: (value) => text()(value),
      plain: (value) => plain()(value),
      json: (value) => list().json(value),
      list: (values) => list().list(values),
      many: (values) => list().many(values),
      listJson: (values) => list().listJson(values),
    });
  }

  #program(): Program {
    const [type, context] = [this.type, this.#context];
    const plan = this.#opened && 'plan' in this.#opened ? this.#opened.plan : undefined;
    const otherwise = plan?.takesOwnKeys ? this.#learning(plan) : libraryWriter(type, context);
    const declared = this.#declaredOptions();
    return { type, layouts: this.#layouts, open: this.#openLayout, context, otherwise, declared };
  }

  #declaredOptions(): DeclaredOptions | undefined {
    const opened = this.#opened;
    if (opened === undefined || 'reason' in opened || !opened.plan.isUnchanged) return undefined;
    const { isUnchanged } = opened.plan;
    return { isUnchanged, reopen: () => (this.#opened === opened ? this.#open() : this) };
  }

  #add<Part extends Partial<Installed>>(program: Assembled<Part>): Part {
    this.#programs = [...this.#programs, program];
    Object.assign(this, program.made);
    return program.made;
  }

  #install(installed: Installed): ClassWriter {
    return Object.assign(this, installed);
  }

  /** Compiles a class that sends all its fields with its first values, when their keys are known. */
  #learning(plan: ClassPlan): Installed {
    const { values } = this.#context;
    const library = libraryWriter(this.type, this.#context);
    const writerOf = (value: object): LayoutWriter =>
      isUnusual(value, this.type) ? library : this.#learn(plan, Object.keys(value), library);
    return {
      text: (value) => writerOf(value).text(value),
      plain: (value) => writerOf(value).plain(value),
      json: (value) => writerOf(value).json(value),
      list: (list) => listText(list, (_, from, to) => values.listJson(list, this, from, to)),
      many: (list) => listText(list, (_, from, to) => values.listJson(list, undefined, from, to)),
      listJson: (list) => values.listJson(list, this),
    };
  }

  #learn(plan: ClassPlan, keys: readonly string[], library: LayoutWriter): LayoutWriter {
    if (this.#layouts.length >= GENERATED_LAYOUTS) return this.#learnAny(plan, keys, library);
    const fields: readonly Field[] | string = plan.fieldsOf(keys);
    if (typeof fields === 'string') return library;
    this.#layouts.push({ keys, fields });
    return this.#generate();
  }

  /** Adds a single writer that goes key by key for all remaining key combinations, because values may have many. */
  #learnAny(plan: ClassPlan, keys: readonly string[], library: LayoutWriter): LayoutWriter {
    const met = new Set([...this.#layouts.flatMap((layout) => layout.keys ?? []), ...keys]);
    const fields = plan.openFieldsOf([...met]);
    if (typeof fields === 'string' || this.#openLayout) return library;
    this.#openLayout = fields;
    return this.#generate();
  }
}

function libraryWriter(declared: Function, { values }: EmitContext): Installed {
  // Declared types of these kinds convert; found at run time, they are serialized by their fields.
  const type = isNative(declared) ? undefined : declared;
  const make = (value: unknown) => values.reference(value, isMapOf(value, declared) ? undefined : type);
  return {
    text: (value) => jsonText(make(value)) as string,
    plain: make,
    json: make,
    list: (list) => JSON.stringify(make(list)),
    many: (list) => JSON.stringify(values.listJson(list)),
    listJson: make,
  };
}

/** Whether class-transformer would ignore the class. */
function isUnusual(value: object, type: Function): boolean {
  const prototype = prototypeOf(value);
  if (prototype !== type.prototype && prototype !== Object.prototype && prototype !== null) return true;
  return typeof (value as { then?: unknown }).then === 'function';
}

/** Detects a Map with a class that was not declared. class-transformer determines its class itself. */
function isMapOf(value: unknown, type: Function): boolean {
  return value instanceof Map && value.constructor === type;
}
