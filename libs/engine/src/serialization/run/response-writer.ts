import { isObject } from '../../shapes/values';
import { fullOptions } from '../../shapes/transforms/full-options';
import type { ClassTransformOptions } from 'class-transformer';
import { compiled, type Explanation, type Serializer, serializerOf } from './compile-serializer';
import { needsReference } from '../emit/text/json-text';
import { isUnmodified } from '../emit/text/unmodified';
import type { ClassWriter } from '../emit/values';
import { rowWriterOf } from './instance/row-writer';
import { toInstance } from './instance/to-instance';
import type { CompileSettings } from '../plan/options';
import { type Programs, programsFor } from './programs';

/** Writes a handler's return value as the class that its route declares. */
export interface ResponseWriter {
  /** @param returned a row or an instance, or a list of them */
  readonly write: (returned: unknown) => string;
  readonly explain: () => ResponseExplanation;
}

/** Describes how a writer has written its responses so far. */
export interface ResponseExplanation extends Explanation {
  /** The number of responses that were written without instances. */
  readonly direct: number;
  /** The number of responses that needed instances. */
  readonly throughInstances: number;
}

/** The number of consecutive responses that needed instances, after which instances are created immediately. */
const MOST_FAILURES = 16;
/** The interval, in responses, after which a row is tried again without instances. */
const RETRIED_EVERY = 256;

type AnyClass = new () => object;

/**
 * Compiles the conversion from a handler's return value to its response text, for a declared class.
 *
 * The text equals the text of an instance created from the return value, by the class rules. The instance itself is created only
 * where it could differ from the row: if the class has a constructor or fields with initial values, sends all its fields, or has
 * a transform that uses more than its value.
 *
 * @param options class-transformer's own
 */
export function responseWriter(
  type: AnyClass,
  options?: ClassTransformOptions,
  settings: CompileSettings = {},
): ResponseWriter {
  return responseWriterOf(type, options, programsFor(settings));
}

/** Works like {@link responseWriter}, with the caller's compiled programs. */
export function responseWriterOf(
  type: AnyClass,
  options: ClassTransformOptions | undefined,
  programs: Programs,
): ResponseWriter {
  const instances = new InstanceResponses(type, options, programs);
  const bound = options && { ...options };
  let program = programs.bind(fullOptions(bound));
  let rows = rowsOf();
  let direct = 0;
  let failed = 0;

  function rowsOf(): ClassWriter | undefined {
    return compiled(program) && rowWriterOf(program, type);
  }

  /** Reads the decorators that have run since the last call. */
  function refresh(): void {
    if (program.isCurrent()) return;
    program = programs.bind(fullOptions(bound));
    rows = rowsOf();
    failed = 0;
  }

  function write(returned: unknown): string {
    refresh();
    if (rows === undefined || !isWorthTrying() || !isUnmodified()) return instances.write(returned);
    const { call } = program;
    const outer = call.enter(bound);
    try {
      const text = rowsText(rows, returned);
      direct += 1;
      failed = 0;
      return text;
    } catch {
      failed += 1;
      call.restore();
    } finally {
      call.leave(outer);
    }
    return instances.write(returned);
  }

  function isWorthTrying(): boolean {
    return failed < MOST_FAILURES || instances.written % RETRIED_EVERY === 0;
  }

  return {
    write,
    explain: () => ({ ...instances.explain(), direct, throughInstances: instances.written }),
  };
}

/** @throws when instances are needed to write the row, or to find an error's cause */
function rowsText(rows: ClassWriter, returned: unknown): string {
  if (!isObject(returned)) throw needsReference;
  if (!Array.isArray(returned)) return rows.text(returned);
  // Holes in a list of rows are written as `null`.
  if (returned.includes(undefined)) throw needsReference;
  return rows.list(returned);
}

/** Writes the responses that need instances. */
class InstanceResponses {
  /** The number of such responses. */
  written = 0;
  private serializer: Serializer | undefined;
  private readonly type: AnyClass;
  private readonly options: ClassTransformOptions | undefined;
  private readonly programs: Programs;

  constructor(type: AnyClass, options: ClassTransformOptions | undefined, programs: Programs) {
    this.type = type;
    this.options = options;
    this.programs = programs;
  }

  /**
   * Writes the return value. Rows are read once, because the serializer itself repeats a failed attempt with the same instances.
   */
  write(returned: unknown): string {
    this.written += 1;
    return this.opened().write(eachOf(returned, (row) => toInstance(this.type, row)));
  }

  explain(): Explanation {
    return this.opened().explain();
  }

  /** Returns the serializer. It is created on first use, since most routes do not need it. */
  private opened(): Serializer {
    return (this.serializer ??= serializerOf(this.type, this.options, this.programs));
  }
}

function eachOf(returned: unknown, make: (row: object) => unknown): unknown {
  const view = (item: unknown): unknown => (isObject(item) ? make(item) : item);
  return Array.isArray(returned) ? Array.from(returned, view) : view(returned);
}
