import { builtInRule } from '@app/engine';
import * as library from 'class-validator';
import { inputSchema } from './input-schema';

/** The arguments that some decorators need. */
const argumentsByRule: Readonly<Record<string, readonly unknown[]>> = {
  Contains: ['a'],
  IsByteLength: [1, 9],
  IsHash: ['md5'],
  IsIdentityCard: ['any'],
  Matches: [/a/],
  NotContains: ['a'],
  IsPassportNumber: ['DE'],
  IsPostalCode: ['any'],
  IsTaxId: ['de-DE'],
};

const decorators = Object.entries(library).filter(([name]) => builtInRule(name)?.takes === 'text');

describe('a rule of class-validator for text', () => {
  it.each(decorators)('%s is described as text, and passes nothing else', (name, make) => {
    class Input {
      value!: unknown;
    }
    const decorate: PropertyDecorator = Reflect.apply(
      make as Function,
      undefined,
      argumentsByRule[name] ?? [],
    );
    decorate(Input.prototype, 'value');
    expect(inputSchema(Input, [], () => ({})).properties).toMatchObject({ value: { type: 'string' } });
    for (const value of [1, 0, true, {}, [], ['a'], null, undefined, new Date()]) {
      const errors = library.validateSync(Object.assign(new Input(), { value }));
      expect([value, errors.length]).toEqual([value, 1]);
    }
  });

  it('is in the list if the library has it', () => {
    expect(decorators.length).toBeGreaterThan(70);
  });
});
