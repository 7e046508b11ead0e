import { isObject } from '../../shapes/values';
import { fullOptions } from '../../shapes/transforms/full-options';
import type { ClassTransformOptions } from 'class-transformer';
import type { ExplainedClass } from '../emit/class-writer';
import { isReferences, needsReference } from '../emit/text/json-text';
import { isUnmodified } from '../emit/text/unmodified';
import type { ClassWriter } from '../emit/values';
import type { CompileSettings } from '../plan/options';
import { referenceToPlain } from '../plan/reference';
import { type Program, type Programs, programsFor } from './programs';

/** Explains how a serializer works, and why parts of it fall back to class-transformer. */
export interface Explanation {
  /** The mode: `library` if nothing is compiled. */
  readonly mode: 'generated' | 'library';
  readonly reason?: string;
  /** The number of values that class-transformer has serialized as a whole. */
  readonly leftWhole: number;
  /** The class that the serializer was compiled for, and its nested classes. */
  readonly classes: readonly ExplainedClass[];
}

/** The writer of a class with given options. */
export interface Serializer {
  /** Returns `JSON.stringify(instanceToPlain(value, options))`, byte for byte, and throws the same errors. */
  readonly write: (value: unknown) => string;
  /** Returns `instanceToPlain(value, options)`. */
  readonly toPlain: (value: unknown) => unknown;
  readonly explain: () => Explanation;
}

/**
 * Compiles the metadata that class-transformer has stored about a class to a single writer.
 *
 * Any value can be written: an instance, a list, or an object with a different class, which is then compiled too. Parts that
 * cannot be compiled fall back to class-transformer individually. If such a part or a transform throws, or a transform writes to
 * the options, class-transformer serializes the whole value again; transforms and getters then run twice.
 *
 * Two things are done once per class, at its first value, instead of at every value: decorators are read (later decorators, and
 * changes to their options, are detected), and type functions without parameters are called. Getters defined on an instance
 * itself are read once or twice instead of five times.
 *
 * @param type the class that most values will have
 * @param options class-transformer's own; read once
 */
export function compileSerializer(
  type: Function,
  options?: ClassTransformOptions,
  settings: CompileSettings = {},
): Serializer {
  return serializerOf(type, options, programsFor(settings));
}

/** Works like {@link compileSerializer}, with the caller's compiled programs. */
export function serializerOf(
  type: Function,
  options: ClassTransformOptions | undefined,
  programs: Programs,
): Serializer {
  const bound = options && { ...options };
  const { reading } = programs;
  const isMap = type === Map || type.prototype instanceof Map;
  let leftWhole = 0;
  let program = programs.bind(fullOptions(bound));
  let root = rootOf();

  function rootOf(): ClassWriter | undefined {
    return isMap ? undefined : compiled(program)?.writerOf(type);
  }

  /** Reads the decorators that have run since the last call. */
  function refresh(): void {
    if (program.isCurrent()) return;
    program = programs.bind(fullOptions(bound));
    root = rootOf();
  }

  function whole(value: unknown): unknown {
    leftWhole += 1;
    return referenceToPlain(value, fullOptions(bound), reading);
  }

  function write(value: unknown): string {
    refresh();
    if (root === undefined || !isUnmodified()) return JSON.stringify(whole(value));
    const { call } = program;
    const outer = call.enter(bound);
    const text = textOf(value, type, root, program);
    call.leave(outer);
    return text === null ? JSON.stringify(whole(value)) : text;
  }

  function toPlain(value: unknown): unknown {
    refresh();
    if (root === undefined || value instanceof Map) return whole(value);
    const { call } = program;
    const outer = call.enter(bound);
    try {
      return isOf(type, value) ? root.plain(value) : program.values.plain(value);
    } catch (error) {
      if (!isReferences(error)) throw error;
      call.restore();
    } finally {
      call.leave(outer);
    }
    return whole(value);
  }

  function explain(): Explanation {
    refresh();
    const reason = program.reason ?? (isMap ? 'a Map is serialized by class-transformer' : undefined);
    if (reason !== undefined) return { mode: 'library', reason, leftWhole, classes: [] };
    return { mode: 'generated', leftWhole, classes: program.explain(type) };
  }

  return { write, toPlain, explain };
}

/** Returns the program if it is compiled. */
export function compiled(program: Program | undefined): Program | undefined {
  return program?.reason === undefined ? program : undefined;
}

/**
 * Writes the value as text. It is a separate function because V8 inlines small functions, and a whole call for a small class
 * fits into V8's limit.
 *
 * @returns `null` if class-transformer has to write the value
 */
function textOf(value: unknown, type: Function, root: ClassWriter, program: Program): string | null {
  try {
    return isOf(type, value) ? root.text(value) : otherText(value, root, program);
  } catch {
    program.call.restore();
    return null;
  }
}

function otherText(value: unknown, root: ClassWriter, { values }: Program): string {
  if (Array.isArray(value)) return root.many(value);
  if (value instanceof Map) throw needsReference;
  return JSON.stringify(values.json(value));
}

/**
 * Whether a value can be written by a class writer. A plain object is written by its fields, even if `Object` is the class,
 * because the `Object` writer would only call class-transformer.
 */
function isOf(type: Function, value: unknown): value is object {
  if (!isObject(value) || value.constructor !== type) return false;
  return type !== Object && !Array.isArray(value);
}
