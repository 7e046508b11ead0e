import { instanceToPlain } from '../functions/instance-to-plain';
import { fuzzDeclarations } from '../../testing/validation/fuzz-declarations';
import { nestParts, withoutLog } from '../../testing/validation/nest-parts';
import { Expose } from 'class-transformer';
import { IsInt, registerDecorator, ValidateBy, type ValidationOptions } from 'class-validator';
import { unlikeLibrary } from '../../testing/validation/equality';
import { compileValidator } from './validators/compile-validator';

/** Declares a rule that no value satisfies. */
function declareRule(target: Function, name?: unknown): void {
  const validator = { validate: () => false, defaultMessage: () => 'never $constraint1' };
  registerDecorator({ target, propertyName: 'a', constraints: [1], validator, ...({ name } as object) });
}

describe('odd declarations', () => {
  it.each([undefined, Symbol('odd'), 7, Number.NaN, '', '__proto__', 'constructor', {}])(
    'a rule may have %s for a name',
    async (name) => {
      class Odd {}
      declareRule(Odd, name);
      expect(await unlikeLibrary(Odd, {}, () => ({ a: 1 }))).toBeUndefined();
    },
  );

  it('a rule without a name reports customValidation', () => {
    class Unnamed {}
    ValidateBy({ validator: { validate: () => false } } as never)(Unnamed.prototype, 'a');
    const result = compileValidator(Unnamed, { ignoreAsync: true }).check({ a: 1 });
    expect(result).toMatchObject({ errors: [{ constraints: { customValidation: '' } }] });
  });

  it('a custom rule with the name of a built-in rule is not called if its message differs', () => {
    class Custom {}
    const validate = vi.fn<() => Promise<boolean>>(() => Promise.reject(new Error('offline')));
    const options: ValidationOptions = { message: undefined as never };
    ValidateBy({ name: 'isEmail', validator: { validate, defaultMessage: () => 'taken' } }, options)(
      Custom.prototype,
      'a',
    );
    compileValidator(Custom).explain();
    expect(validate).not.toHaveBeenCalled();
  });

  it('a class whose options throw when they are read is converted by the library', async () => {
    class Throwing {}
    const options = Object.defineProperty({}, 'groups', {
      enumerable: true,
      get() {
        throw new Error('groups were read');
      },
    });
    Expose(options)(Throwing.prototype, 'a');
    IsInt()(Throwing.prototype, 'a');
    expect(await unlikeLibrary(Throwing, {}, () => ({ a: 1 }))).toBeUndefined();
    expect(() => instanceToPlain(new Throwing())).toThrow('groups were read');
  });

  it('have the same results as the libraries', { timeout: 120_000 }, async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const seed = Number(process.env['FUZZ_SEED'] ?? 7);
    const { classes, difference } = await withoutLog(() => fuzzDeclarations(seed, 400, nestParts));
    warn.mockRestore();
    expect(difference, `seed ${seed}, class ${classes}`).toBeUndefined();
  });
});
