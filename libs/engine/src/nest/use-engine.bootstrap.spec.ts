import 'reflect-metadata';
import {
  type ArgumentMetadata,
  ClassSerializerInterceptor,
  type Type,
  ValidationPipe as NestPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import { Exclude, Type as Converted } from 'class-transformer';
import * as classValidator from 'class-validator';
import { IsInt, ValidateNested } from 'class-validator';
import { useEngine } from './use-engine.bootstrap';
import { ValidationPipe } from './validation.pipe';

class Part {
  @IsInt() count!: number;
  @Exclude() secret?: string;
}

class Whole {
  @ValidateNested({ each: true }) @Converted(() => Part) parts!: Part[];
}

const body: ArgumentMetadata = { type: 'body', metatype: Whole };
const inputs = [
  { parts: [{ count: 1, secret: 's' }] },
  { parts: [{ count: 'x' }] },
  { parts: 7 },
  [],
  null,
  'text',
];
const choices: ValidationPipeOptions[] = [
  {},
  { transform: true },
  { whitelist: true, disableErrorMessages: true },
];

const outcomesOf = (pipe: NestPipe) =>
  Promise.allSettled(inputs.map((input) => pipe.transform(structuredClone(input), body)));
const sentBy = (interceptor: ClassSerializerInterceptor) =>
  inputs.map((input) => interceptor.serialize(input as object, { type: Whole }));

describe('Nest’s own pipe and interceptor in a program with the engine', () => {
  const methods = ['transform', 'loadValidator', 'loadTransformer'];
  const saved = methods.map((name) => [name, Reflect.get(NestPipe.prototype, name) as unknown] as const);
  const transformToPlain: unknown = Reflect.get(ClassSerializerInterceptor.prototype, 'transformToPlain');
  afterEach(() => {
    for (const [name, method] of saved) Reflect.set(NestPipe.prototype, name, method);
    Reflect.set(ClassSerializerInterceptor.prototype, 'transformToPlain', transformToPlain);
    vi.restoreAllMocks();
  });

  it('return and send the same', async () => {
    const expected = await Promise.all(choices.map((options) => outcomesOf(new NestPipe(options))));
    const sent = sentBy(new ClassSerializerInterceptor(undefined, { transformerPackage: classTransformer }));
    useEngine();
    expect(await Promise.all(choices.map((options) => outcomesOf(new NestPipe(options))))).toEqual(expected);
    expect(sentBy(new ClassSerializerInterceptor(undefined))).toEqual(sent);
  });

  it('do not call the libraries', async () => {
    useEngine();
    const pipe = new NestPipe({ transform: true });
    const instance = await pipe.transform(inputs[0], body);
    const ofNest = vi.spyOn(NestPipe.prototype as unknown as { stripProtoKeys(): void }, 'stripProtoKeys');
    const ofLibrary = vi.spyOn(classTransformer.ClassTransformer.prototype, 'instanceToPlain');
    expect(await pipe.transform(inputs[0], body)).toEqual(instance);
    await expect(pipe.transform(inputs[1], body)).rejects.toThrow('Bad Request');
    sentBy(new ClassSerializerInterceptor(undefined));
    expect([ofNest.mock.calls, ofLibrary.mock.calls]).toEqual([[], []]);
  });

  it('are Nest’s where a subclass overrides a method, with one warning', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    useEngine();
    class Own extends NestPipe {
      protected override async validate(): Promise<never[]> {
        return [];
      }
    }
    for (const pipe of [new Own(), new Own()])
      expect(await pipe.transform(inputs[1], body)).toEqual(inputs[1]);
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      'Own overrides validate of Nest’s ValidationPipe: the libraries validate in it.',
    ]);
  });

  it('are compiled where a subclass selects what is validated', async () => {
    class Context {
      @IsInt() id!: number;
    }
    const asked: ArgumentMetadata[] = [];
    const selecting = (base: typeof NestPipe) =>
      class Selecting extends base {
        protected override toValidate(metadata: ArgumentMetadata): boolean {
          asked.push(metadata);
          return super.toValidate(metadata) && metadata.metatype !== Context && metadata.data !== 'raw';
        }
      };
    const [Theirs, Ours] = [selecting(NestPipe), selecting(ValidationPipe)];
    const metadata: ArgumentMetadata[] = [
      body,
      { ...body, data: 'raw' },
      { type: 'body', metatype: Context },
      { type: 'custom', metatype: Whole },
    ];
    const outcomes = async (pipe: NestPipe) => {
      asked.length = 0;
      const results = metadata.map((parameter) =>
        Promise.allSettled(inputs.map((input) => pipe.transform(structuredClone(input), parameter))),
      );
      return [await Promise.all(results), asked.some(({ data }) => data === 'raw')];
    };
    const expected = await outcomes(new Theirs({ transform: true }));
    useEngine();
    await new NestPipe().transform(inputs[0], body);
    expect(await outcomes(new Theirs({ transform: true }))).toEqual(expected);
    expect(await outcomes(new Ours({ transform: true }))).toEqual(expected);
    const ofNest = vi.spyOn(NestPipe.prototype as unknown as { stripProtoKeys(): void }, 'stripProtoKeys');
    for (const type of [Theirs, Ours]) {
      const pipe = new type({ transform: true });
      await pipe.transform(inputs[0], body);
      await expect(pipe.transform(inputs[1], body)).rejects.toThrow('Bad Request');
    }
    expect(ofNest).not.toHaveBeenCalled();
  });

  it('use the packages that they are given', async () => {
    useEngine();
    const validate = vi.fn<typeof classValidator.validate>(() => Promise.resolve([]));
    const pipe = new NestPipe({ validatorPackage: { ...classValidator, validate } });
    expect(await pipe.transform(inputs[1], body)).toEqual(inputs[1]);
    expect(validate).toHaveBeenCalledOnce();
    let calls = 0;
    const plainToInstance = <T>(type: Type<T>): T => {
      calls += 1;
      return new type();
    };
    const transformerPackage = { ...classTransformer, plainToInstance };
    sentBy(new ClassSerializerInterceptor(undefined, { transformerPackage }));
    expect(calls).toBeGreaterThan(0);
  });

  it('leave the pipe of the package as it is', async () => {
    useEngine();
    expect(await outcomesOf(new ValidationPipe())).toEqual(await outcomesOf(new NestPipe()));
  });
});
