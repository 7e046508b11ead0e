import type { ClassTransformOptions } from 'class-transformer';
import type { ExplainedClass } from './emit/class-writer';
import { needsReference } from './emit/text/json-text';
import { isPristine } from './emit/text/pristine';
import type { ClassWriter } from './emit/values';
import { OptionsInForce } from './options-in-force';
import { type CompileSettings, fullOptions } from './plan/options';
import { referenceToPlain } from './plan/reference';
import { type Program, type Programs, programsFor } from './programs';

/** What a serializer does, and why some of it is left to class-transformer. */
export interface Explanation {
  /** `library` when nothing is compiled. */
  readonly mode: 'generated' | 'library';
  readonly reason?: string;
  /** How many values were given to class-transformer as a whole so far. */
  readonly leftWhole: number;
  /** The class it was made for, and those that it and its parts name. */
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
 * cannot be told beforehand is left to class-transformer where it stands. When that or a transform throws, or a
 * transform writes to the options, the whole value is given to class-transformer from the start: what transforms and
 * getters did before is then done twice.
 *
 * What class-transformer does at every value and this does once, at the first of a class: reading decorators (one that
 * runs later is noticed, and so are options of decorators that change) and asking a type function that takes no argument.
 * A getter that an instance has of its own, not from its class, is read once or twice instead of five times; and values
 * may be nested deeper before the stack ends.
 *
 * @param type    the class that most values will have
 * @param options class-transformer's own; what they say when a value is written counts
 */
export function compileSerializer(
  type: Function,
  options?: ClassTransformOptions,
  settings: CompileSettings = {},
): Serializer {
  return serializerOf(type, options, programsFor(settings));
}

/** As {@link compileSerializer}, on programs that the caller keeps. */
export function serializerOf(
  type: Function,
  options: ClassTransformOptions | undefined,
  programs: Programs,
): Serializer {
  const force = new OptionsInForce(programs, options);
  const { manner } = programs;
  const isMap = type === Map || type.prototype instanceof Map;
  let leftWhole = 0;
  let root: ClassWriter | undefined;
  refresh();

  function refresh(): void {
    const { program } = force;
    root = isMap ? undefined : compiled(program)?.writerOf(type);
  }

  function whole(value: unknown): unknown {
    leftWhole += 1;
    return referenceToPlain(value, fullOptions(options), manner);
  }

  function write(value: unknown): string {
    if (force.isOutdated()) refresh();
    const { program, full } = force;
    if (root === undefined || program === undefined || value instanceof Map || !isPristine())
      return JSON.stringify(whole(value));
    const { call } = program;
    const outer = call.enter(options, full);
    try {
      if (Array.isArray(value)) return root.many(value);
      if (isOf(type, value)) return root.text(value);
      return JSON.stringify(program.values.json(value));
    } catch {
      call.restore();
    } finally {
      call.leave(outer);
    }
    return JSON.stringify(whole(value));
  }

  function toPlain(value: unknown): unknown {
    if (force.isOutdated()) refresh();
    const { program, full } = force;
    if (root === undefined || program === undefined || value instanceof Map) return whole(value);
    const { call } = program;
    const outer = call.enter(options, full);
    try {
      return isOf(type, value) ? root.plain(value) : program.values.plain(value);
    } catch (error) {
      if (error !== needsReference) throw error;
      call.restore();
    } finally {
      call.leave(outer);
    }
    return whole(value);
  }

  function explain(): Explanation {
    if (force.isOutdated()) refresh();
    const { program } = force;
    const reason = reasonOf(program, isMap);
    if (program === undefined || reason !== undefined)
      return { mode: 'library', reason, leftWhole, classes: [] };
    return { mode: 'generated', leftWhole, classes: program.explain(type) };
  }

  return { write, toPlain, explain };
}

/** A program that compiles. */
export function compiled(program: Program | undefined): Program | undefined {
  return program?.reason === undefined ? program : undefined;
}

function reasonOf(program: Program | undefined, isMap: boolean): string | undefined {
  if (program === undefined) return 'there are too many sets of options';
  return program.reason ?? (isMap ? 'a Map is left to class-transformer' : undefined);
}

function isOf(type: Function, value: unknown): value is object {
  return typeof value === 'object' && value !== null && value.constructor === type && !Array.isArray(value);
}
