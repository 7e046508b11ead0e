import type { ClassTransformOptions } from 'class-transformer';
import { type FullOptions, fullOptions, isUnchangeable } from './plan/options';
import { type Program, Programs } from './programs';

/** The options of a caller, read again at every call if they can change, and the program for them. */
export class OptionsInForce {
  /** `undefined` if there are too many sets of options: class-transformer is used. */
  program: Program | undefined;
  /** Of the call that was prepared last; `undefined` if the options cannot change. */
  full: FullOptions | undefined;
  readonly given: ClassTransformOptions | undefined;
  private readonly programs: Programs;
  private readonly isFixed: boolean;

  constructor(programs: Programs, given: ClassTransformOptions | undefined) {
    const full = fullOptions(given);
    const isFull = programs.find(full) === undefined;
    this.programs = isFull ? new Programs(settingsOf(programs)) : programs;
    this.given = given;
    this.isFixed = isUnchangeable(given);
    this.program = this.programs.find(full);
  }

  /** Whether the program differs from that of the call before. */
  isOutdated(): boolean {
    if (!this.isFixed) this.full = fullOptions(this.given);
    const isSame = this.program?.isCurrent() && (this.full === undefined || this.program.isFor(this.full));
    if (isSame) return false;
    this.program = this.programs.find(this.full ?? fullOptions(this.given));
    return true;
  }
}

function settingsOf({ reading: { isHardened, isStrict } }: Programs) {
  return { hardened: isHardened, strict: isStrict };
}
