import type { ClassTransformOptions } from 'class-transformer';
import { compiled, type Explanation, type Serializer, serializerOf } from './compile-serializer';
import { needsReference } from './emit/text/json-text';
import { isPristine } from './emit/text/pristine';
import type { ClassWriter } from './emit/values';
import { asInstance } from './instance/as-instance';
import { OptionsInForce } from './options-in-force';
import { type CompileSettings, fullOptions } from './plan/options';
import { referenceToPlain } from './plan/reference';
import { type Programs, programsFor } from './programs';

/** Writes what a handler returned as the class its route declares. */
export interface AnswerWriter {
  /** @param returned a row or an instance, or a list of them */
  readonly write: (returned: unknown) => string;
  readonly explain: () => AnswerExplanation;
}

/** How a writer of answers has done so far. */
export interface AnswerExplanation extends Explanation {
  /** Answers written from what was returned as it was. */
  readonly direct: number;
  /** Answers for which instances were made first. */
  readonly throughInstances: number;
}

/** Where so many answers in a row needed instances, the next ones will. */
const ENOUGH_TRIED = 16;
/** But it may have been those alone: one in so many is tried again. */
const TRIED_AGAIN = 256;

type AnyClass = new () => object;

/**
 * Compiles the way from what a handler returns to the text of its answer, for one declared class.
 *
 * The text is that of an instance made from what was returned, by the rules of the class; the instance itself is made
 * only where it could differ from the row it is made from: a class with a constructor or with fields that have values,
 * one that sends all it has, a transform that looks at more than its value.
 *
 * @param options class-transformer's own
 */
export function answerWriter(
  type: AnyClass,
  options?: ClassTransformOptions,
  settings: CompileSettings = {},
): AnswerWriter {
  return answerWriterOf(type, options, programsFor(settings));
}

/** As {@link answerWriter}, on programs that the caller keeps. */
export function answerWriterOf(
  type: AnyClass,
  options: ClassTransformOptions | undefined,
  programs: Programs,
): AnswerWriter {
  const instances = new InstanceAnswers(type, options, programs);
  const force = new OptionsInForce(programs, options);
  let rows = compiled(force.program)?.rowWriterOf(type);
  let direct = 0;
  let failed = 0;

  function refresh(): void {
    rows = compiled(force.program)?.rowWriterOf(type);
    failed = 0;
  }

  function write(returned: unknown): string {
    if (force.isOutdated()) refresh();
    if (rows === undefined || !isWorthTrying() || !isPristine()) return instances.write(returned);
    const { call } = force.program!;
    const outer = call.enter(options, force.full);
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
    return failed < ENOUGH_TRIED || instances.written % TRIED_AGAIN === 0;
  }

  return {
    write,
    explain: () => ({ ...instances.explain(), direct, throughInstances: instances.written }),
  };
}

/** @throws what it cannot do without instances, be it to find out what goes wrong */
function rowsText(rows: ClassWriter, returned: unknown): string {
  if (typeof returned !== 'object' || returned === null) throw needsReference;
  if (!Array.isArray(returned)) return rows.text(returned);
  // A list of rows keeps its holes, as `null`.
  if (returned.includes(undefined)) throw needsReference;
  return rows.list(returned);
}

/** Answers for which instances are made. */
class InstanceAnswers {
  /** How many. */
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

  /** Rows become instances one after another where that fails, so that the first failure is the one that is told. */
  write(returned: unknown): string {
    const { type, options, programs } = this;
    this.written += 1;
    try {
      return this.opened().write(eachOf(returned, (one) => asInstance(type, one)));
    } catch {
      const plain = (one: object) =>
        referenceToPlain(asInstance(type, one), fullOptions(options), programs.manner);
      return JSON.stringify(eachOf(returned, plain));
    }
  }

  explain(): Explanation {
    return this.opened().explain();
  }

  /** Most routes never need one. */
  private opened(): Serializer {
    return (this.serializer ??= serializerOf(this.type, this.options, this.programs));
  }
}

function eachOf(returned: unknown, make: (row: object) => unknown): unknown {
  const view = (one: unknown): unknown => (typeof one === 'object' && one !== null ? make(one) : one);
  return Array.isArray(returned) ? Array.from(returned, view) : view(returned);
}
