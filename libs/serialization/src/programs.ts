import { transformsGeneration } from '@app/shapes';
import { Call } from './emit/call';
import { type ExplainedClass, LazyClassWriter } from './emit/class-writer';
import type { EmitContext } from './emit/layout';
import { makeSlowFields } from './emit/slow-fields';
import { type ClassWriter, makeValues, strictValues, type Values } from './emit/values';
import { rowWriters } from './instance/row-writer';
import {
  type CompileSettings,
  copyOptions,
  decideTheSame,
  type FullOptions,
  reasonNotToCompile,
  reasonOfProcess,
} from './plan/options';
import type { Manner } from './plan/reference';
import { allowedUntyped } from './plan/strict';
import { reported } from './report-once';

/** After so many classes a program starts anew: somebody makes classes as others make values. */
const MOST_CLASSES = 1000;

/** The writers of every class met under the same options: what all entries call. */
export class Program {
  readonly call: Call;
  readonly values: Values;
  /** Why class-transformer writes everything. */
  readonly reason: string | undefined;
  readonly rowWriterOf: (type: Function) => ClassWriter;
  private readonly context: EmitContext;
  private readonly generation = transformsGeneration();
  private readonly watched: (() => boolean)[] = [];
  private readonly writers = new Map<Function, LazyClassWriter>();
  private isFull = false;
  private readonly options: FullOptions;
  private readonly manner: Manner;

  constructor(full: FullOptions, manner: Manner) {
    const options = copyOptions(full);
    this.options = options;
    this.manner = manner;
    this.reason = reported(reasonOfProcess()) ?? reasonNotToCompile(options);
    this.call = new Call(options, manner);
    const { call } = this;
    const writerOf = (type: Function): LazyClassWriter => this.writerOf(type);
    const found = makeValues({ options, call, writerOf });
    this.values = manner.isStrict ? strictValues(found, allowedUntyped(options)) : found;
    const watch = (isUnchanged: (() => boolean) | undefined) =>
      void (isUnchanged && this.watched.push(isUnchanged));
    const slow = makeSlowFields(this.values, call);
    this.context = { options, call, values: this.values, slow, writerOf, watch };
    this.rowWriterOf = rowWriters({ instances: this.context, isHardened: manner.isHardened });
  }

  writerOf(type: Function): LazyClassWriter {
    const known = this.writers.get(type);
    if (known) return known;
    const writer = new LazyClassWriter(type, this.context, this.manner.isHardened);
    this.writers.set(type, writer);
    this.isFull = this.writers.size >= MOST_CLASSES;
    return writer;
  }

  isFor(full: FullOptions): boolean {
    return decideTheSame(this.options, full);
  }

  /** Whether nothing was declared, and no decorator's options were changed, since it was made. */
  isCurrent(): boolean {
    if (this.generation !== transformsGeneration()) return false;
    return !this.isFull && (this.watched.length === 0 || this.watched.every((isUnchanged) => isUnchanged()));
  }

  /** A class and those that it and its parts name. */
  explain(type: Function): ExplainedClass[] {
    const seen = new Set<ClassWriter>([this.writerOf(type)]);
    for (const one of seen) for (const part of this.writerOf(one.type).parts()) seen.add(part);
    return [...seen].map((one) => this.writerOf(one.type).explain());
  }
}

/** So many sets of options at most: whoever makes new ones all the time gains nothing from compiling. */
const MOST_OPTIONS = 64;

/** The programs of one manner of reading classes, by the options that decide what is written. */
export class Programs {
  readonly manner: Manner;
  private readonly known: Program[] = [];

  constructor({ hardened = false, strict = false }: CompileSettings = {}) {
    this.manner = { isHardened: hardened, isStrict: strict };
  }

  /** @returns `undefined` where there are too many already */
  find(full: FullOptions): Program | undefined {
    const at = this.known.findIndex((one) => one.isFor(full));
    const found: Program | undefined = this.known[at];
    if (found?.isCurrent()) return found;
    if (at === -1 && this.known.length >= MOST_OPTIONS) return undefined;
    const made = new Program(full, this.manner);
    this.known[at === -1 ? this.known.length : at] = made;
    return made;
  }
}

const shared = new Map<string, Programs>();

/** The programs that every entry of the same settings shares. */
export function programsFor(settings: CompileSettings): Programs {
  const key = `${Boolean(settings.hardened)} ${Boolean(settings.strict)}`;
  const programs = shared.get(key) ?? new Programs(settings);
  shared.set(key, programs);
  return programs;
}
