import 'reflect-metadata';
import {
  type ClassTransformOptions,
  Exclude,
  Expose,
  instanceToPlain as reference,
  Transform,
  type TransformFnParams,
  Type,
} from 'class-transformer';
import { responseWriterOf } from './response-writer';
import { compileSerializer, serializerOf } from './compile-serializer';
import { instanceToPlain } from './instance-to-plain';
import { Programs } from './programs';

interface Asked extends ClassTransformOptions {
  tenant?: string;
}

class Secret {
  id = 1;
  @Expose({ groups: ['admin'] }) salary = 'SECRET';
}

class OfTenant {
  @Transform(({ options }: { options: Asked }) => options.tenant) tenant: unknown = 1;
}

describe('a compiled function that is called again', () => {
  it('is bound to the options that it was compiled with; instanceToPlain reads them at each call', () => {
    const options: ClassTransformOptions = { groups: ['user'] };
    const { write, toPlain } = compileSerializer(Secret, options);
    const rows = responseWriterOf(Secret, options, new Programs());
    for (const groups of [['user'], ['user', 'admin'], [], undefined]) {
      Object.assign(options, { groups });
      const expected = reference(new Secret(), groups === undefined ? {} : { groups: [...groups] });
      expect(instanceToPlain(new Secret(), options)).toEqual(expected);
      expect(toPlain(new Secret())).toEqual({ id: 1 });
      expect([write(new Secret()), rows.write({ id: 1 })]).toEqual(['{"id":1}', '{"id":1}']);
    }
  });

  it('passes a transform the options of its own call, including unknown ones', () => {
    for (const tenant of ['A', 'B', 'A', undefined]) {
      const options: Asked = tenant === undefined ? {} : { tenant };
      expect(instanceToPlain(new OfTenant(), options)).toEqual({ tenant });
    }
    const options: Asked = { tenant: 'A' };
    const { write } = compileSerializer(OfTenant, options);
    expect(write(new OfTenant())).toBe('{"tenant":"A"}');
  });

  it('passes a transform the caller’s own array, and a new options object for each call', () => {
    const seen: ClassTransformOptions[] = [];
    class Looking {
      @Transform((parameters: TransformFnParams) => seen.push(parameters.options)) count: unknown = 1;
    }
    const groups = ['admin'];
    const { write } = compileSerializer(Looking, { groups });
    write(new Looking());
    write(new Looking());
    instanceToPlain(new Looking(), { groups });
    expect(seen.every((options) => options.groups === groups)).toBe(true);
    expect(new Set(seen).size).toBe(3);
  });

  it('applies what a transform wrote to the options within the call, and not after it', () => {
    class Writing {
      @Transform(({ options, value }) => {
        options.groups = ['admin'];
        return value;
      })
      first = 1;
      part = new Secret();
    }
    const { write, toPlain } = compileSerializer(Writing);
    for (const value of [new Writing(), new Secret(), [new Secret(), new Writing()]]) {
      const expected = reference(value);
      expect(toPlain(value)).toEqual(expected);
      expect(write(value)).toBe(JSON.stringify(expected));
      expect(instanceToPlain(value)).toEqual(expected);
    }
  });

  it('leaves the caller’s frozen arrays alone, if a transform writes to the options', () => {
    class Versioned {
      @Transform(({ options, value }) => {
        options.version = 2;
        return value;
      })
      first = 1;
      @Expose({ since: 2 }) second = 2;
    }
    const options = { groups: Object.freeze(['user']) as string[] };
    const expected = reference(new Versioned(), options);
    expect(instanceToPlain(new Versioned(), options)).toEqual(expected);
    expect(compileSerializer(Versioned, options).toPlain(new Versioned())).toEqual(expected);
  });

  it('detects options of a decorator that are changed in place', () => {
    const shared = { groups: ['user'] };
    class Told {
      @Expose(shared) a = 1;
      @Transform(({ value }) => `${value}!`, shared) b = 2;
    }
    const { write } = compileSerializer(Told, { groups: ['user'] });
    const expected = () => JSON.stringify(reference(new Told(), { groups: ['user'] }));
    expect(write(new Told())).toBe(expected());
    shared.groups[0] = 'admin';
    expect(write(new Told())).toBe(expected());
    Object.assign(shared, { groups: undefined, since: 1 });
    expect(write(new Told())).toBe(expected());
  });

  it('does not read the decorators of the classes that were written before', () => {
    let reads = 0;
    for (let at = 0; at < 3; at++) {
      const options = {
        get name() {
          reads += 1;
          return 'other';
        },
      };
      class Other {
        @Expose(options) first = 1;
      }
      expect(instanceToPlain(new Other())).toEqual({ other: 1 });
    }
    const { write } = compileSerializer(Secret);
    const send = () => [write(new Secret()), instanceToPlain([new Secret()])];
    send();
    reads = 0;
    send();
    expect(reads).toBe(0);
  });

  it('detects changed options of the classes of parts, declared and undeclared', () => {
    const shared = { groups: ['user'] };
    class Part {
      @Expose(shared) a = 1;
    }
    class Holder {
      @Type(() => Part) declared = new Part();
      any: unknown = [new Part()];
    }
    const options = { groups: ['user'] };
    const { write, toPlain } = compileSerializer(Holder, options);
    for (const groups of [['user'], ['admin'], ['user'], ['admin']]) {
      shared.groups = groups;
      for (const value of [new Holder(), [new Holder(), new Holder()], { parts: [new Part()] }]) {
        const expected = reference(value, options);
        expect(toPlain(value)).toEqual(expected);
        expect(write(value)).toBe(JSON.stringify(expected));
        expect(instanceToPlain(value, options)).toEqual(expected);
      }
    }
  });

  it('treats null as no options', () => {
    const none = Object(null) === null ? undefined : JSON.parse('null');
    expect(instanceToPlain(new Secret(), none)).toEqual(reference(new Secret(), none));
    expect(compileSerializer(Secret, none).write(new Secret())).toBe('{"id":1}');
  });

  it('calls a transform with the same this as class-transformer', () => {
    class Asking {
      @Transform(function own(this: { propertyName?: string }) {
        return this.propertyName;
      })
      name = 1;
    }
    expect(compileSerializer(Asking).toPlain(new Asking())).toEqual({ name: 'name' });
  });

  it('writes Maps as class-transformer does: with @Type, by their metadata, or as the root value', () => {
    class Maps {
      @Type(() => Map) declared: unknown = new Map([['a', new Secret()]]);
      @Expose() reflected: Map<string, Secret> = new Map([['a', new Secret()]]);
      @Type(() => Secret) typed: Map<string, Secret> = new Map([['a', new Secret()]]);
    }
    for (const value of [new Maps(), new Map([['a', new Maps()]]), [new Map([[1, 2]])]]) {
      expect(instanceToPlain(value)).toEqual(reference(value));
      expect(compileSerializer(Maps).write(value)).toBe(JSON.stringify(reference(value)));
    }
  });

  it('explains what it writes, even if a type function throws', () => {
    @Exclude()
    class Unready {
      @Expose()
      @Type(() => {
        throw new ReferenceError('not there yet');
      })
      part: unknown = 1;
    }
    const { write, explain } = compileSerializer(Unready);
    expect(explain().classes).toMatchObject([
      { mode: 'library', reason: expect.stringContaining('not there yet') },
    ]);
    expect(() => write(new Unready())).toThrow('not there yet');
  });

  it('is compiled for a limited number of option sets, and works with more', () => {
    for (let version = 0; version < 200; version++) {
      expect(instanceToPlain(new Secret(), { version })).toEqual({ id: 1 });
    }
    expect(compileSerializer(Secret, { version: 1000 }).explain().mode).toBe('generated');
  });
});

describe('where code generation is forbidden', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('class-transformer is used, with one warning', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const forbidden = new Proxy(Function, {
      construct() {
        throw new EvalError('Code generation from strings disallowed for this context');
      },
    });
    vi.stubGlobal('Function', forbidden);
    const programs = new Programs();
    const { write, explain } = serializerOf(Secret, { groups: ['admin'] }, programs);
    const answers = responseWriterOf(Secret, undefined, programs);
    expect(write(new Secret())).toBe('{"id":1,"salary":"SECRET"}');
    expect(answers.write({ id: 2 })).toBe(JSON.stringify(reference(Object.assign(new Secret(), { id: 2 }))));
    expect(explain()).toMatchObject({ mode: 'library', reason: expect.stringContaining('is forbidden') });
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      'Nothing is compiled: code generation from strings is forbidden (--disallow-code-generation-from-strings). ' +
        'The libraries are used instead.',
    ]);
  });
});
