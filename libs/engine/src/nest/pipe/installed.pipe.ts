import { ValidationPipe } from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import type { InstalledPipe } from './compiled-input';
import { messagesOf } from './messages-of';

let asked: Promise<void> | undefined;
let result: InstalledPipe | undefined;

/**
 * Determines how the installed Nest reports errors, by running its pipe once, because a bundled or patched Nest does not reveal
 * its version. Call it before the program creates a pipe, because each new pipe replaces the libraries that earlier pipes use.
 *
 * @returns `undefined` until the pipe has answered, some microtasks after the first call
 */
export function installedPipe(): InstalledPipe | undefined {
  void installedPipeSoon();
  return result;
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
    result = pipe.result;
  }
}

const deepest = { property: 'c', constraints: { one: 'c1', two: 'c2' } };
const SAMPLE = [
  { property: 'a', constraints: { own: 'a1' }, children: [{ property: 'b', children: [deepest, deepest] }] },
  { property: '', children: [deepest] },
  { property: 'd' },
  deepest,
];

class AskedPipe extends ValidationPipe {
  private hidesTargets = false;
  private readonly error = { property: 'a', value: 1, children: [{ property: 'b' }] };

  constructor() {
    super({ exceptionFactory: () => new Error('rejected, to see the errors') });
  }

  get result(): InstalledPipe {
    const { hidesTargets, error } = this;
    const listed = JSON.stringify(this.flattenValidationErrors(structuredClone(SAMPLE)));
    const listsMessages = listed === JSON.stringify(messagesOf(SAMPLE));
    return { hidesTargets, stripsParentValues: !('value' in error), listsMessages };
  }

  protected override loadValidator(): typeof classValidator {
    return classValidator;
  }

  protected override loadTransformer(): typeof classTransformer {
    return classTransformer;
  }

  protected override validate(_object: object, options?: classValidator.ValidatorOptions) {
    this.hidesTargets = options?.validationError?.target === false;
    return [this.error];
  }
}
