import 'reflect-metadata';
import { type Type as Class, ValidationPipe as NestPipe, type ValidationPipeOptions } from '@nestjs/common';
import { Exclude, Type } from 'class-transformer';
import { IsInt, ValidateNested } from 'class-validator';
import * as functions from '../transform-functions';
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

  it('returns an input without `transform`, or a plain object if there are options', async () => {
    const input = { parts: [{ count: 1, more: 2 }] };
    const metadata = { type: 'body', metatype: Whole } as const;
    expect(await new ValidationPipe().transform(input, metadata)).toBe(input);
    const returned: unknown = await new ValidationPipe({ whitelist: true }).transform(input, metadata);
    expect(returned).toEqual({ parts: [{ count: 1 }] });
    expect(Object.getPrototypeOf(returned)).toBe(Object.prototype);
    expect(functions.instanceToPlain(returned)).toEqual(returned);
  });
});
