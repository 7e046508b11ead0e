import { andThen, isRecord, unlessThrown } from '../../shapes/values';
import type { ValidationError } from 'class-validator';
import { emitPredicate, type PlainPredicate } from '../emit/emit-predicate';
import { isEveryObjectExtended } from '../run/extended-prototype';
import { engineGeneration } from './checks';
import type { CompiledValidator, PlainValidator } from './compiled-validator';
import type { Checked, Engine } from './engine';
import { whyCreated } from './explain';

/**
 * Creates a validator that creates no instance for plain values, where a program cannot observe it.
 *
 * @param find finds the engine, or the reason why it is missing
 */
export function plainValidator(
  type: Function,
  { check, explain }: CompiledValidator<object>,
  find: () => Engine | string,
): PlainValidator {
  let generation = -1;
  let predicate: PlainPredicate | undefined;
  const ask = (value: unknown): boolean | undefined => {
    if (engineGeneration() !== generation) {
      predicate = predicateOf(type, find());
      generation = engineGeneration();
    }
    if (!predicate || !isRecord(value) || isEveryObjectExtended()) return undefined;
    try {
      return predicate(value);
    } catch {
      return undefined;
    }
  };
  const errors = (value: unknown) => andThen(ask(value) ? { errors: [] } : check(value), errorsOf);
  return {
    test(value) {
      return ask(value) ?? andThen(errors(value), isEmpty);
    },
    errors,
    explain,
  };
}

function errorsOf(checked: Checked<object>): ValidationError[] {
  return 'errors' in checked ? checked.errors : [];
}

function isEmpty({ length }: readonly ValidationError[]): boolean {
  return length === 0;
}

/** Generates the predicate, for a class that needs no instance. */
function predicateOf(type: Function, engine: Engine | string): PlainPredicate | undefined {
  // Decorators may be unreadable: then the library throws the same error at each validation.
  return unlessThrown(() =>
    typeof engine === 'string' || whyCreated(type, engine) !== undefined
      ? undefined
      : emitPredicate(engine.planner.planOf(type), engine.planner),
  );
}
