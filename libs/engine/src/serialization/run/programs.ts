import { reportNotCompiled, whyNoTransforms } from '../../shapes/not-compiled';
import type { FullOptions } from '../../shapes/transforms/full-options';
import { copyOptions, decideTheSame } from '../../shapes/transforms/same-options';
import { transformsGeneration } from '../../shapes/transforms/storage';
import { Call } from '../emit/call';
import { type ExplainedClass, LazyClassWriter } from '../emit/class-writer';
import type { EmitContext } from '../emit/layout';
import { makeSlowFields } from '../emit/slow-fields';
import { type ClassWriter, makeValues, strictValues, type Values } from '../emit/values';
import { type CompileSettings, reasonNotToCompile } from '../plan/options';
import type { ReadingOptions } from '../plan/reference';
import { allowedUntyped } from '../plan/strict';

/** The number of classes after which a program is emptied, because the caller creates classes dynamically. */
const MOST_CLASSES = 1000;

/** The writers of all classes with the same options, which all entry points call. */
export class Program {
  readonly call: Call;
  readonly values: Values;
  /** The reason why class-transformer writes everything. */
  readonly reason: string | undefined;
  readonly context: EmitContext;
  readonly reading: ReadingOptions;
  /** The generation of the decorators that the program was compiled from; -1 once it is full. */
  #generation = transformsGeneration();
  readonly #writers = new Map<Function, LazyClassWriter>();
  readonly #options: FullOptions;

  constructor(full: FullOptions, reading: ReadingOptions) {
    const options = copyOptions(full);
    this.#options = options;
    this.reading = reading;
    const ofProcess = whyNoTransforms();
    if (ofProcess !== undefined) reportNotCompiled(ofProcess);
    this.reason = ofProcess ?? reasonNotToCompile(options);
    this.call = new Call(options, reading);
    const { call } = this;
    const writerOf = (type: Function): LazyClassWriter => this.writerOf(type);
    const lenient = makeValues({ options, call, writerOf });
    this.values = reading.isStrict ? strictValues(lenient, allowedUntyped(options)) : lenient;
    const slow = makeSlowFields(this.values, call);
    this.context = { options, call, values: this.values, slow, writerOf };
  }

  writerOf(type: Function): LazyClassWriter {
    const existing = this.#writers.get(type);
    if (existing) return existing;
    const writer = new LazyClassWriter(type, this.context, this.reading.isHardened);
    this.#writers.set(type, writer);
    if (this.#writers.size >= MOST_CLASSES) this.#generation = -1;
    return writer;
  }

  isFor(full: FullOptions): boolean {
    return decideTheSame(this.#options, full);
  }

  /**
   * Whether the program is newer than the last decorator that ran. The class writers detect changed decorator options
   * themselves, because comparing the options of all classes would make each call slower with every class.
   */
  isCurrent(): boolean {
    return this.#generation === transformsGeneration();
  }

  /** Explains a class and its nested classes. */
  explain(type: Function): ExplainedClass[] {
    const seen = new Set<ClassWriter>([this.writerOf(type)]);
    for (const writer of seen) for (const part of this.writerOf(writer.type).parts()) seen.add(part);
    return [...seen].map((writer) => this.writerOf(writer.type).explain());
  }
}

/** The most option sets, because a caller that always passes new options gains nothing from compiling. */
const MOST_OPTIONS = 64;

/** The programs for a way to read classes, by the options that affect the output. */
export class Programs {
  readonly reading: ReadingOptions;
  readonly #known: Program[] = [];

  constructor({ hardened = false, strict = false }: CompileSettings = {}) {
    this.reading = { isHardened: hardened, isStrict: strict };
  }

  /**
   * Returns the program for a writer that is bound to options. If there are too many programs already, the writer gets its own.
   */
  bind(full: FullOptions): Program {
    return this.find(full) ?? new Program(full, this.reading);
  }

  /** @returns `undefined` if there are too many already */
  find(full: FullOptions): Program | undefined {
    const at = this.#known.findIndex((program) => program.isFor(full));
    const cached: Program | undefined = this.#known[at];
    if (cached?.isCurrent()) return cached;
    if (at === -1 && this.#known.length >= MOST_OPTIONS) return undefined;
    const program = new Program(full, this.reading);
    this.#known[at === -1 ? this.#known.length : at] = program;
    return program;
  }
}

const shared = new Map<string, Programs>();

/** Returns the programs that all entry points with the same settings share. */
export function programsFor(settings: CompileSettings): Programs {
  const key = `${Boolean(settings.hardened)} ${Boolean(settings.strict)}`;
  const programs = shared.get(key) ?? new Programs(settings);
  shared.set(key, programs);
  return programs;
}
