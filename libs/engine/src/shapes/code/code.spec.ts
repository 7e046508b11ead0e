import fc from 'fast-check';
import { assemble, canAssemble } from './assemble';
import { Code, code, joined, member } from './code';
import { Scope } from './scope';

const run = (body: Code, scope = new Scope()) => assemble<unknown>('spec', body, scope).made;

describe('code', () => {
  it('prints a string as a literal, never as code', () => {
    const hostile = '"; process.exit(1) //\u2028`${1}`\\';
    expect(run(code`return ${hostile};`)).toBe(hostile);
  });

  it('prints every primitive as a literal of the same value', () => {
    const primitive = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.bigInt());
    fc.assert(fc.property(primitive, (value) => Object.is(run(code`return ${value};`), value)));
    for (const value of [-0, Number.NaN, -Infinity, undefined, null, '\ud800'])
      expect(run(code`return ${value};`)).toBe(value);
  });

  it('inserts code unchanged, and lists of code line by line', () => {
    const lines = [code`let n = 1;`, code`n += 1;`];
    expect(code`${lines}\nreturn n;`.source).toBe('let n = 1;\nn += 1;\nreturn n;');
    expect(joined([code`a`, code`b`], ' && ').source).toBe('a && b');
  });

  it('rejects values without a literal', () => {
    expect(() => code`return ${{}};`).toThrow(TypeError);
    expect(() => code`return ${Symbol('s')};`).toThrow('Hoist it');
  });

  it('reads any property by its name', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const scope = new Scope();
        const object = Object.defineProperty({}, name, { value: 7 });
        expect(run(code`return ${member(scope.hoist(object), name)};`, scope)).toBe(7);
      }),
    );
  });
});

describe('a scope', () => {
  it('gives each value one name, whatever the value’s own name is', () => {
    const scope = new Scope();
    const odd = { 'a b; throw 1': () => 1 }['a b; throw 1'];
    expect(scope.hoist(odd).source).toBe(scope.hoist(odd).source);
    expect(scope.hoist({}).source).not.toBe(scope.hoist({}).source);
    expect(run(code`return ${scope.hoist(odd)}();`, scope)).toBe(1);
  });
});

describe('assembling', () => {
  it('sets the name of the program for debuggers', () => {
    const { made: boom } = assemble<() => void>(
      'boom',
      code`return () => { throw new Error('here'); };`,
      new Scope(),
    );
    expect(boom).toThrow(expect.objectContaining({ stack: expect.stringContaining('sluice/boom.js') }));
  });

  it('can be tested for beforehand', () => {
    expect(canAssemble()).toBe(true);
  });
});
