import { reportFallback } from '../../shapes/report-fallback';
import { type FullOptions, fullOptions } from '../../shapes/transforms/full-options';
import type { ClassTransformOptions } from 'class-transformer';
import { compiled } from './compile-serializer';
import { isReferences } from '../emit/text/json-text';
import { referenceToPlain } from '../plan/reference';
import { type Program, Programs, programsFor } from './programs';

/** The type of class-transformer's `instanceToPlain`. */
export interface InstanceToPlain {
  (object: readonly unknown[], options?: ClassTransformOptions): Record<string, unknown>[];
  (object: unknown, options?: ClassTransformOptions): Record<string, unknown>;
}

/**
 * The compiled version of class-transformer's `instanceToPlain`, with the same signature and results. It is compiled at the
 * first value for each class and option set.
 */
export const instanceToPlain: InstanceToPlain = makeInstanceToPlain(programsFor({}));

/** @param programs the compiled programs, by options */
export function makeInstanceToPlain(programs: Programs): InstanceToPlain {
  let last: Program | undefined;

  function toPlain(value: unknown, options?: ClassTransformOptions | null): unknown {
    const full = fullOptions(options);
    if (!(last?.isCurrent() && last.isFor(full))) last = find(value, full);
    if (last === undefined || value instanceof Map) return referenceToPlain(value, full, programs.reading);
    const { call, values } = last;
    const outer = call.enter(options, full);
    try {
      return values.plain(value);
    } catch (error) {
      if (!isReferences(error)) throw error;
      call.restore();
    } finally {
      call.leave(outer);
    }
    return referenceToPlain(value, fullOptions(options), programs.reading);
  }

  function find(value: unknown, full: FullOptions): Program | undefined {
    const program = programs.find(full);
    const reason = program ? program.reason : 'more than 64 choices of options';
    const sample: unknown = Array.isArray(value) ? value[0] : value;
    if (reason !== undefined)
      reportFallback((sample as object | null | undefined)?.constructor, reason, undefined, 'serialized');
    return compiled(program);
  }
  return toPlain as InstanceToPlain;
}
