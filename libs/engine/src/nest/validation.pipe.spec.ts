import 'reflect-metadata';
import {
  BadRequestException,
  type Type as Class,
  type ValidationError,
  ValidationPipe as NestPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { Exclude, Type } from 'class-transformer';
import { IsInt, ValidateNested } from 'class-validator';
import { instanceToPlain } from '../functions/instance-to-plain';
import { ValidationPipe } from './validation.pipe';

class Part {
  @IsInt() count!: number;
}

class Whole {
  @ValidateNested({ each: true }) @Type(() => Part) parts!: Part[];
  @Exclude({ toPlainOnly: true }) secret?: string;
}

const inputs = [
  { parts: [{ count: 1, more: 2 }], secret: 's' },
  { parts: [{ count: 'x' }] },
  [{ parts: [] }],
  null,
  'text',
];

async function outcomeOf(pipe: NestPipe, value: unknown, metatype: Class): Promise<unknown> {
  return pipe
    .transform(structuredClone(value), { type: 'body', metatype })
    .catch((error: unknown) => ({ error }));
}

describe('the pipe of the package', () => {
  const choices: ValidationPipeOptions[] = [{}, { whitelist: true }, { transform: true }];

  it.each(choices)('has the results of Nest’s with %j', async (options) => {
    await outcomeOf(new ValidationPipe(), {}, Whole);
    for (const input of inputs)
      expect(await outcomeOf(new ValidationPipe(options), input, Whole)).toEqual(
        await outcomeOf(new NestPipe(options), input, Whole),
      );
  });

  it('creates Nest’s error without a stack trace, and leaves that of a factory its own', async () => {
    const stackOf = async (options: ValidationPipeOptions): Promise<string> => {
      const error: unknown = await new ValidationPipe(options)
        .transform({ parts: [{ count: 'x' }] }, { type: 'body', metatype: Whole })
        .catch((thrown: unknown) => thrown);
      return error instanceof Error ? String(error.stack) : 'no error';
    };
    await stackOf({});
    expect(await stackOf({})).toBe('BadRequestException: Bad Request Exception');
    const exceptionFactory = () => new BadRequestException();
    expect(await stackOf({ exceptionFactory })).toContain('validation.pipe.spec');
  });

  it('lists the messages as Nest’s, also where a subclass changes them', async () => {
    const input = { parts: [{ count: 'x' }, { count: 'y' }, 7] };
    const derivedFrom = (base: typeof NestPipe) =>
      class Other extends base {
        protected override prependConstraintsWithParentProp(path: string, error: ValidationError) {
          return super.prependConstraintsWithParentProp(path.toUpperCase(), error);
        }
      };
    for (const change of [(base: typeof NestPipe) => base, derivedFrom]) {
      const [ours, theirs] = [change(ValidationPipe), change(NestPipe)];
      for (const errorFormat of ['list', 'grouped'] as const)
        expect(await outcomeOf(new ours({ errorFormat }), input, Whole)).toEqual(
          await outcomeOf(new theirs({ errorFormat }), input, Whole),
        );
    }
  });

  it('returns an input without `transform`, or a plain object if there are options', async () => {
    const input = { parts: [{ count: 1, more: 2 }] };
    const metadata = { type: 'body', metatype: Whole } as const;
    expect(await new ValidationPipe().transform(input, metadata)).toBe(input);
    const returned: unknown = await new ValidationPipe({ whitelist: true }).transform(input, metadata);
    expect(returned).toEqual({ parts: [{ count: 1 }] });
    expect(Object.getPrototypeOf(returned)).toBe(Object.prototype);
    expect(instanceToPlain(returned)).toEqual(returned);
  });
});
