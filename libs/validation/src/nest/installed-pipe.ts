import { ValidationPipe } from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';

/** What differs between the versions of Nest's pipe that its users can see. */
export interface InstalledPipe {
  /** Errors have no `target` unless it is asked for; since 11.2.7. */
  readonly hidesTargets: boolean;
  /** Errors with children have no `value` unless it is asked for; since 12.5. */
  readonly stripsParentValues: boolean;
}

let asked: Promise<void> | undefined;
let answer: InstalledPipe | undefined;

/**
 * Determines how the installed Nest reports errors, by running its pipe once: the version of a bundled or patched Nest
 * says nothing. Call it before another pipe is created: a pipe replaces the libraries of those created before it.
 *
 * @returns `undefined` until the pipe has answered, some microtasks after the first call
 */
export function installedPipe(): InstalledPipe | undefined {
  void installedPipeSoon();
  return answer;
}

/** Waits until the pipe has answered. */
export function installedPipeSoon(): Promise<void> {
  return (asked ??= ask());
}

async function ask(): Promise<void> {
  const pipe = new AskedPipe();
  try {
    await pipe.transform({}, { type: 'body', metatype: class Asked {} });
  } catch {
    answer = pipe.answer;
  }
}

class AskedPipe extends ValidationPipe {
  private hidesTargets = false;
  private readonly found = { property: 'a', value: 1, children: [{ property: 'b' }] };

  constructor() {
    super({ exceptionFactory: () => new Error('rejected, to see the errors') });
  }

  get answer(): InstalledPipe {
    return { hidesTargets: this.hidesTargets, stripsParentValues: !('value' in this.found) };
  }

  protected override loadValidator(): typeof classValidator {
    return classValidator;
  }

  protected override loadTransformer(): typeof classTransformer {
    return classTransformer;
  }

  protected override validate(_object: object, options?: classValidator.ValidatorOptions) {
    this.hidesTargets = options?.validationError?.target === false;
    return [this.found];
  }
}
