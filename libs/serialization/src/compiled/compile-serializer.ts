import { canAssemble, transformsGeneration } from '@app/shapes';
import type { ClassTransformOptions } from 'class-transformer';
import { type ExplainedClass, LazyClassWriter, type Manner } from './class-writer';
import { type Behind, makeFront } from './front';
import type { EmitContext } from './layout';
import { type CompileSettings, type FullOptions, fullOptions, reasonNotToCompile } from './options';
import { Path } from './path';
import { referenceFor } from './reference';
import { allowedUntyped, strictValues } from './strict';
import { needsReference } from './text/json-text';
import { isPristine } from './text/pristine';
import { makeValues, type Reference } from './values';

/** What a serializer does, and why some of it is left to class-transformer. */
export interface Explanation {
  /** `library` when nothing is compiled. */
  readonly mode: 'generated' | 'closures' | 'library';
  readonly reason?: string;
  /** How many values were given to class-transformer as a whole so far. */
  readonly leftWhole: number;
  /** The class it was made for and those met since. */
  readonly classes: readonly ExplainedClass[];
}

/** The writer of a class under some options. */
export interface Serializer {
  /** `JSON.stringify(instanceToPlain(value, options))`, to the byte; throws what that throws. */
  readonly write: (value: unknown) => string;
  /** `instanceToPlain(value, options)`. */
  readonly toPlain: (value: unknown) => unknown;
  readonly explain: () => Explanation;
}

/**
 * Compiles what class-transformer has recorded about a class into one writer.
 *
 * Any value may be written: an instance, a list, or something of another class, which is then compiled too. What
 * cannot be told beforehand is left to class-transformer where it stands. When that or a transform throws, the
 * whole value is given to class-transformer from the start, so that the error is its own: what transforms and getters
 * did before is then done twice. Under `enableCircularCheck` the same goes for a value in which there is a circle, or
 * something that is left to class-transformer.
 *
 * What class-transformer does at every value and this does once, at the first of a class: reading options and
 * decorators (a decorator that runs later is noticed) and asking a type function that takes no argument. A getter that
 * an instance has of its own, not from its class, is read once or twice instead of five times; and values may be
 * nested deeper before the stack ends.
 *
 * @param type    the class that most values will have
 * @param options class-transformer's own
 */
export function compileSerializer(
  type: Function,
  options: ClassTransformOptions = {},
  settings: CompileSettings = {},
): Serializer {
  const full = fullOptions(options);
  const reference = referenceFor(full, settings.hardened ?? false, settings.strict);
  const reason = reasonNotToCompile(full, settings);
  if (reason !== undefined) return leftToLibrary(reference, reason);
  const manner = mannerOf(settings, full);
  let leftWhole = 0;
  let book = new WriterBook(full, reference, manner);
  let root = book.writerOf(type);
  const behind: Behind = { generation: -1, root, refresh, write, whole };

  /** A decorator that ran since the last value puts everything that was compiled out of date. */
  function refresh(): void {
    book = new WriterBook(full, reference, manner);
    root = book.writerOf(type);
    Object.assign(behind, { generation: transformsGeneration(), root });
  }

  function write(value: unknown): string {
    if (behind.generation !== transformsGeneration()) refresh();
    if (!isPristine() || value instanceof Map) return whole(value);
    try {
      if (Array.isArray(value)) return root.many(value);
      if (isOf(type, value)) return root.text(value);
      return JSON.stringify(book.context.values.json(value));
    } catch {
      return whole(value);
    }
  }

  /** What goes wrong, if anything does, is for class-transformer to say. */
  function whole(value: unknown): string {
    leftWhole += 1;
    return JSON.stringify(reference.whole(value));
  }

  function toPlain(value: unknown): unknown {
    if (behind.generation !== transformsGeneration()) refresh();
    if (value instanceof Map) return reference.whole(value);
    try {
      return isOf(type, value) ? root.plain(value) : book.context.values.plain(value);
    } catch (error) {
      if (error !== needsReference) throw error;
      leftWhole += 1;
      return reference.whole(value);
    }
  }

  /** A transform may write another value while this one is being written. */
  function alone<Made>(make: (value: unknown) => Made): (value: unknown) => Made {
    const { path } = manner;
    return path ? (value) => path.around(() => make(value)) : make;
  }

  const isMap = type === Map || type.prototype instanceof Map;
  return {
    write: manner.isGenerated && !isMap ? makeFront(type, behind) : alone(write),
    toPlain: alone(toPlain),
    explain() {
      if (behind.generation !== transformsGeneration()) refresh();
      root.explain();
      const mode = manner.isGenerated ? 'generated' : 'closures';
      return { mode, leftWhole, classes: book.explain() };
    },
  };
}

function isOf(type: Function, value: unknown): value is object {
  return typeof value === 'object' && value !== null && value.constructor === type && !Array.isArray(value);
}

/** What asks at every value whether it was met before is not generated: it would be no quicker. */
function mannerOf(
  { hardened: isHardened = false, strict: isSealed = false, mode = 'generated' }: CompileSettings,
  { enableCircularCheck }: FullOptions,
): Manner {
  const path = enableCircularCheck ? new Path() : undefined;
  return { isHardened, isSealed, isGenerated: mode === 'generated' && !path && canAssemble(), path };
}

function leftToLibrary(reference: Reference, reason: string): Serializer {
  let leftWhole = 0;
  const whole = (value: unknown): unknown => {
    leftWhole += 1;
    return reference.whole(value);
  };
  return {
    write: (value) => JSON.stringify(whole(value)),
    toPlain: whole,
    explain: () => ({ mode: 'library', reason, leftWhole, classes: [] }),
  };
}

/** In the middle of a value class-transformer would not know what is around it. */
function leave(): never {
  throw needsReference;
}

/** The writers of every class met under the same options. */
export class WriterBook {
  readonly context: EmitContext;
  private readonly writers = new Map<Function, LazyClassWriter>();

  private readonly manner: Manner;

  constructor(options: EmitContext['options'], reference: Reference, manner: Manner) {
    this.manner = manner;
    const writerOf = (type: Function): LazyClassWriter => this.writerOf(type);
    const { path, isSealed } = manner;
    const known = path ? { ...reference, part: leave } : reference;
    const found = makeValues({ options, reference: known, writerOf, path });
    const values = isSealed ? strictValues(found, allowedUntyped(options)) : found;
    this.context = { options, writerOf, values, path };
  }

  writerOf(type: Function): LazyClassWriter {
    const writer = this.writers.get(type) ?? new LazyClassWriter(type, this.context, this.manner);
    this.writers.set(type, writer);
    return writer;
  }

  explain(): ExplainedClass[] {
    return [...this.writers.values()].map((writer) => writer.explain());
  }
}
