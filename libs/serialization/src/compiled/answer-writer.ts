import { canAssemble, transformsGeneration } from '@app/shapes';
import { type ClassTransformOptions, plainToInstance } from 'class-transformer';
import { asInstance } from '../instance';
import { compileSerializer, type Explanation, type Serializer, WriterBook } from './compile-serializer';
import { type CompileSettings, type FullOptions, fullOptions, reasonNotToCompile } from './options';
import { referenceFor } from './reference';
import { type Reading, rowWriters } from './row-writer';
import { isPristine } from './text/pristine';
import { needsReference } from './text/json-text';
import type { ClassWriter, Values } from './values';

/** What a handler's answers are, and how they are compiled. */
export interface AnswerSettings extends CompileSettings {
  /** What a plain object is taken for; `input` unless said otherwise. */
  readonly reading?: Reading;
}

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
 * The text is that of an instance made from what was returned (`reading` says how), by the rules of the class; the
 * instance itself is made only where it could differ from the row it is made from: a class with a constructor or
 * with fields that have values, one that sends all it has, a transform that looks at more than its value.
 *
 * @param options class-transformer's own; for `input` they count on the way in as well
 */
export function answerWriter(
  type: AnyClass,
  options: ClassTransformOptions = {},
  settings: AnswerSettings = {},
): AnswerWriter {
  const { reading = 'input' } = settings;
  const full = fullOptions(options);
  let made: Serializer | undefined;
  /** Most routes never need one. */
  const serializer = (): Serializer => (made ??= compileSerializer(type, full, settings));
  const isGenerated = settings.mode !== 'closures' && canAssemble();
  const isDirect =
    isGenerated && !full.enableCircularCheck && reasonNotToCompile(full, settings) === undefined;
  const reference = referenceFor(full, settings.hardened ?? false, settings.strict);
  const done = { direct: 0, throughInstances: 0 };
  let failed = 0;
  let generation = -1;
  let rows: ClassWriter;

  function refresh(): void {
    generation = transformsGeneration();
    failed = 0;
    const values = valuesFor(full, settings);
    rows = rowWriters({ reading, options: full, isHardened: settings.hardened ?? false }, values)(type);
  }

  function write(returned: unknown): string {
    if (isDirect && generation !== transformsGeneration()) refresh();
    const text = isDirect && isWorthTrying() && isPristine() ? directly(returned) : undefined;
    if (text !== undefined) return text;
    done.throughInstances += 1;
    return reading === 'row'
      ? writeRows(returned)
      : serializer().write(plainToInstance(type, returned, options));
  }

  function isWorthTrying(): boolean {
    return failed < ENOUGH_TRIED || done.throughInstances % TRIED_AGAIN === 0;
  }

  /** Rows become instances one after another; where one fails, so that the first failure is the one that is told. */
  function writeRows(returned: unknown): string {
    try {
      return serializer().write(eachOf(returned, (one) => asInstance(type, one)));
    } catch {
      return JSON.stringify(eachOf(returned, (one) => reference.whole(asInstance(type, one))));
    }
  }

  /** @returns `undefined` where instances have to be made, be it to find out what goes wrong */
  function directly(returned: unknown): string | undefined {
    try {
      const text = Array.isArray(returned)
        ? listOfRows(rows, returned, reading)
        : rows.text(objectOf(returned));
      done.direct += 1;
      failed = 0;
      return text;
    } catch {
      failed += 1;
      return undefined;
    }
  }

  return { write, explain: () => ({ ...serializer().explain(), ...done }) };
}

function objectOf(returned: unknown): object {
  if (typeof returned !== 'object' || returned === null) throw needsReference;
  return returned;
}

/** A list of rows keeps its holes, as `null`. */
function listOfRows(rows: ClassWriter, list: readonly unknown[], reading: Reading): string {
  if (reading === 'row' && list.includes(undefined)) throw needsReference;
  return rows.list(list);
}

function eachOf(returned: unknown, make: (row: object) => unknown): unknown {
  const view = (one: unknown): unknown => (typeof one === 'object' && one !== null ? make(one) : one);
  return Array.isArray(returned) ? Array.from(returned, view) : view(returned);
}

function valuesFor(options: FullOptions, settings: CompileSettings): Values {
  const isHardened = settings.hardened ?? false;
  const manner = { isHardened, isSealed: settings.strict ?? false, isGenerated: true, path: undefined };
  return new WriterBook(options, referenceFor(options, isHardened, settings.strict), manner).context.values;
}
