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
import { useEngine } from './use-engine';
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

  it('are Nest’s where a subclass overrides a method', async () => {
    useEngine();
    class Own extends NestPipe {
      protected override async validate(): Promise<never[]> {
        return [];
      }
    }
    expect(await new Own().transform(inputs[1], body)).toEqual(inputs[1]);
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
