import { generateList, generatePlain, generateText } from './generate';
import type { Assembled } from '@app/shapes';
import { interpretLayout, type Layout, type LayoutWriter, type EmitContext } from './layout';
import type { Path } from './path';
import { type ClassPlan, planClass } from './plan';
import { jsonText } from './text/json-text';
import { listText } from './text/list-text';
import type { ClassWriter } from './values';

/** How many orders of keys get code of their own; values with others are interpreted. */
const GENERATED_LAYOUTS = 4;
/** How many orders of keys are remembered; values with others are left to class-transformer. */
const KNOWN_LAYOUTS = 64;

/** How the writers of classes are made. */
export interface Manner {
  readonly isHardened: boolean;
  readonly isSealed: boolean;
  readonly isGenerated: boolean;
  /** Only where circles are looked for. */
  readonly path: Path | undefined;
}

/** What is replaced when a writer is made. */
type Installed = Omit<ClassWriter, 'type'>;

/** How one class is written, for a reader who wonders. */
export interface ExplainedClass {
  readonly name: string;
  readonly mode: 'generated' | 'closures' | 'library';
  /** Why class-transformer does it. */
  readonly reason?: string;
  /** What was generated. It grows by a function for each new order of keys, for the first few of them. */
  readonly source?: string;
}

/** Writes the values of one class; made when the first of them comes, by when every class it leads to exists. */
export class LazyClassWriter implements ClassWriter {
  readonly type: Function;
  text = (value: object): string => this.opened().text(value);
  plain = (value: object): unknown => this.opened().plain(value);
  json = (value: object): unknown => this.opened().json(value);
  list = (values: readonly unknown[]): string => this.opened().list(values);
  many = (values: readonly unknown[]): string => this.opened().many(values);
  listJson = (values: readonly unknown[]): unknown => this.opened().listJson(values);

  private explained: ExplainedClass | undefined;
  private readonly layouts: Layout[] = [];
  private readonly known: { readonly keys: readonly string[]; readonly writer: LayoutWriter }[] = [];

  private readonly context: EmitContext;
  private readonly manner: Manner;

  constructor(type: Function, context: EmitContext, manner: Manner) {
    this.type = type;
    this.context = context;
    this.manner = manner;
  }

  explain(): ExplainedClass {
    this.opened();
    return this.explained!;
  }

  private opened(): ClassWriter {
    if (this.explained) return this;
    const plan = this.plan();
    const fields = typeof plan === 'string' ? plan : plan.takesOwnKeys ? [] : plan.fieldsOf([]);
    if (typeof plan === 'string') return this.leave(plan);
    if (typeof fields === 'string') return this.leave(fields);
    if (!plan.takesOwnKeys) this.layouts.push({ keys: undefined, fields });
    return this.make(plan);
  }

  /** A class that cannot be planned for is one that class-transformer will say the same about, with every value. */
  private plan(): ClassPlan | string {
    try {
      return planClass(this.type, this.context.options, this.manner.isHardened);
    } catch (error) {
      return `it cannot be read: ${String(error)}`;
    }
  }

  private leave(reason: string): ClassWriter {
    this.explained = { name: this.type.name, mode: 'library', reason };
    return this.install(this.libraryWriter());
  }

  /** A class that sends all it has gets its code with the first value, whose keys are known. */
  private make(plan: ClassPlan): ClassWriter {
    const { name } = this.type;
    if (this.manner.isGenerated && !plan.takesOwnKeys) return this.generate(plan);
    this.explained = { name, mode: this.manner.isGenerated ? 'generated' : 'closures' };
    return this.install(this.interpreter(plan));
  }

  /** Most classes are written alone or in lists, and few of them made plain: what is not asked for is not made. */
  private generate(plan: ClassPlan): ClassWriter {
    const { type, layouts, context } = this;
    const program = { type, layouts, context, otherwise: this.interpreter(plan) };
    const text = () => this.add(generateText(program)).text;
    const plain = () => this.add(generatePlain(program)).plain;
    const list = () => this.add(generateList(program));
    this.explained = { name: type.name, mode: 'generated' };
    return this.install({
      text: (value) => text()(value),
      plain: (value) => plain()(value),
      json: (value) => list().json(value),
      list: (values) => list().list(values),
      many: (values) => list().many(values),
      listJson: (values) => list().listJson(values),
    });
  }

  private add<Part extends Partial<Installed>>({ made, source }: Assembled<Part>): Part {
    const { name } = this.type;
    const before = this.explained?.source;
    this.explained = { name, mode: 'generated', source: before ? `${before}\n${source}` : source };
    Object.assign(this, made);
    return made;
  }

  private install({ text, plain, json, list, many, listJson }: Installed): ClassWriter {
    return Object.assign(this, { text, plain, json, list, many, listJson });
  }

  private libraryWriter(): Installed {
    const { values } = this.context;
    const type = isBuiltInto(this.type) ? undefined : this.type;
    const make = (value: unknown) => values.reference(value, isMapOf(value, this.type) ? undefined : type);
    return {
      text: (value) => jsonText(make(value)) as string,
      plain: make,
      json: make,
      list: (list) => JSON.stringify(make(list)),
      many: (list) => JSON.stringify(values.listJson(list)),
      listJson: make,
    };
  }

  private interpreter(plan: ClassPlan): Installed {
    const library = this.libraryWriter();
    const writerOf = (value: object): LayoutWriter => {
      if (isUnusual(value, this.type)) return library;
      const keys = plan.takesOwnKeys ? Object.keys(value) : [];
      return this.known.find((one) => isSame(one.keys, keys))?.writer ?? this.learn(plan, keys, library);
    };
    const { values } = this.context;
    return {
      text: (value) => writerOf(value).text(value),
      plain: (value) => writerOf(value).plain(value),
      json: (value) => writerOf(value).json(value),
      list: (list) => listText(list, (_, from, to) => values.listJson(list, this, from, to)),
      many: (list) => listText(list, (_, from, to) => values.listJson(list, undefined, from, to)),
      listJson: (list) => values.listJson(list, this),
    };
  }

  private learn(plan: ClassPlan, keys: readonly string[], library: LayoutWriter): LayoutWriter {
    if (this.known.length >= KNOWN_LAYOUTS) return library;
    const fields = plan.fieldsOf(keys);
    const isLeft = typeof fields === 'string';
    if (!isLeft && this.manner.isGenerated && this.layouts.length < GENERATED_LAYOUTS) {
      this.layouts.push({ keys, fields });
      this.generate(plan);
      return this;
    }
    const writer = isLeft ? library : interpretLayout({ keys, fields }, this.context);
    this.known.push({ keys, writer });
    return writer;
  }
}

/** Whether class-transformer would go by something else than the class. */
function isUnusual(value: object, type: Function): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== type.prototype && prototype !== Object.prototype && prototype !== null) return true;
  return typeof (value as { then?: unknown }).then === 'function';
}

function isSame(known: readonly string[], keys: readonly string[]): boolean {
  return known.length === keys.length && known.every((key, at) => key === keys[at]);
}

/** What is a Map of such a class was not declared to be one: class-transformer finds its class out by itself. */
function isMapOf(value: unknown, type: Function): boolean {
  return value instanceof Map && value.constructor === type;
}

/** As a declared type these convert; found at run time they are looked into. */
function isBuiltInto(type: Function): boolean {
  return Function.prototype.toString.call(type).endsWith('{ [native code] }');
}
