import { type FullOptions, fullOptions } from '../../shapes/transforms/full-options';
import type { ClassTransformOptions } from 'class-transformer';
import { isUnchangeable } from '../plan/options';
import { type Program, Programs } from './programs';

/** The options of a caller, read again at every call if they can change, and the program for them. */
export class OptionsInForce {
  /** `undefined` if there are too many sets of options: class-transformer is used. */
  program: Program | undefined;
  /** Of the call that was prepared last; `undefined` if there are none, or if they cannot change. */
  full: FullOptions | undefined;
  /** As passed by the caller; `undefined` if there are none. */
  given: ClassTransformOptions | undefined;
  private readonly declared: ClassTransformOptions | undefined;
  private readonly programs: Programs;
  private readonly isFixed: boolean;
  /** The program, if there are no options, or if they cannot change. */
  private steady: Program | undefined;

  constructor(programs: Programs, declared: ClassTransformOptions | undefined) {
    const isFull = programs.find(fullOptions(declared)) === undefined;
    this.programs = isFull ? new Programs(settingsOf(programs)) : programs;
    this.declared = declared;
    this.isFixed = isUnchangeable(declared);
    this.readAgain();
  }

  /** Whether the program differs from that of the call before. */
  isOutdated(): boolean {
    const isSteady = (this.isFixed || isEmpty(this.declared)) && this.steady?.isCurrent();
    return !isSteady && this.readAgain();
  }

  private readAgain(): boolean {
    const full = fullOptions(this.declared);
    const isNone = isEmpty(this.declared);
    const isSteady = this.isFixed || isNone;
    this.given = isNone ? undefined : this.declared;
    this.full = isSteady ? undefined : full;
    const { program } = this;
    if (!program?.isCurrent() || !program.isFor(full)) this.program = this.programs.find(full);
    this.steady = isSteady ? this.program : undefined;
    return this.program !== program;
  }
}

/** Whether a caller passes none. Options that are inherited count; symbols are for its transforms. */
function isEmpty(options: ClassTransformOptions | null | undefined): boolean {
  for (const _ in options) return false;
  return !options || Object.getOwnPropertySymbols(options).length === 0;
}

function settingsOf({ reading: { isHardened, isStrict } }: Programs) {
  return { hardened: isHardened, strict: isStrict };
}
