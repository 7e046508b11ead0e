import { generatePlain, generateText, type Program } from './generate';
import { interpretLayout, type Layout, type LayoutWriter, type Workshop } from './layout';
import { type ClassPlan, planClass } from './plan';
import type { ClassWriter } from './values';

/** How many orders of keys get code of their own; values with others are interpreted. */
const GENERATED_LAYOUTS = 4;
/** How many orders of keys are remembered; values with others are left to class-transformer. */
const KNOWN_LAYOUTS = 64;

/** How the writers of classes are made. */
export interface Manner {
  readonly isHardened: boolean;
  readonly isGenerated: boolean;
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
  list = (values: readonly unknown[]): string => this.opened().list(values);
  many = (values: readonly unknown[]): string => this.opened().many(values);

  private explained: ExplainedClass | undefined;
  private readonly layouts: Layout[] = [];
  private readonly known: { readonly keys: readonly string[]; readonly writer: LayoutWriter }[] = [];

  private readonly workshop: Workshop;
  private readonly manner: Manner;

  constructor(type: Function, workshop: Workshop, manner: Manner) {
    this.type = type;
    this.workshop = workshop;
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
      return planClass(this.type, this.workshop.options, this.manner.isHardened);
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

  private generate(plan: ClassPlan): ClassWriter {
    const { type, layouts, workshop } = this;
    const program = { type, layouts, workshop, otherwise: this.interpreter(plan) };
    const { made, source } = generateText(program);
    this.explained = { name: type.name, mode: 'generated', source };
    return this.install({ ...made, plain: (value) => this.makePlain(program)(value) });
  }

  /** Most values are only ever written as text. */
  private makePlain(program: Program): ClassWriter['plain'] {
    const { made, source } = generatePlain(program);
    const { name } = this.type;
    this.explained = { name, mode: 'generated', source: `${this.explained?.source ?? ''}\n${source}` };
    this.plain = made.plain;
    return made.plain;
  }

  private install({ text, plain, list, many }: Installed): ClassWriter {
    return Object.assign(this, { text, plain, list, many });
  }

  private libraryWriter(): Installed {
    const { values } = this.workshop;
    const type = isBuiltInto(this.type) ? undefined : this.type;
    return {
      text: (value) => values.referenceText(value, type) as string,
      plain: (value) => values.referencePlain(value, type),
      list: (list) => values.referenceText(list, type) as string,
      many: (list) => values.listText(list),
    };
  }

  private interpreter(plan: ClassPlan): Installed {
    const library = this.libraryWriter();
    const writerOf = (value: object): LayoutWriter => {
      if (isUnusual(value, this.type)) return library;
      const keys = plan.takesOwnKeys ? Object.keys(value) : [];
      return this.known.find((one) => isSame(one.keys, keys))?.writer ?? this.learn(plan, keys, library);
    };
    const { values } = this.workshop;
    return {
      text: (value) => writerOf(value).text(value),
      plain: (value) => writerOf(value).plain(value),
      list: (list) => values.listText(list, this),
      many: (list) => values.listText(list),
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
    const writer = isLeft ? library : interpretLayout({ keys, fields }, this.workshop);
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

/** As a declared type these convert; found at run time they are looked into. */
function isBuiltInto(type: Function): boolean {
  return Function.prototype.toString.call(type).endsWith('{ [native code] }');
}
