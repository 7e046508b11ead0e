import type { ClassTransformOptions } from 'class-transformer';
import { type FullOptions, fullOptions, isUnchangeable } from './plan/options';
import { type Program, Programs } from './programs';

/** What a caller gave once, read anew at every call where it can change, and the program for it. */
export class OptionsInForce {
  /** `undefined` where there are too many sets of options: class-transformer does it. */
  program: Program | undefined;
  /** Of the call that was prepared last; `undefined` where the options cannot change. */
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

  /** Whether another program counts than for the call before. */
  isOutdated(): boolean {
    if (!this.isFixed) this.full = fullOptions(this.given);
    const isSame = this.program?.isCurrent() && (this.full === undefined || this.program.isFor(this.full));
    if (isSame) return false;
    this.program = this.programs.find(this.full ?? fullOptions(this.given));
    return true;
  }
}

function settingsOf({ manner: { isHardened, isStrict } }: Programs) {
  return { hardened: isHardened, strict: isStrict };
}
