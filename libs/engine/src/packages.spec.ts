import 'reflect-metadata';
import { ClassSerializerInterceptor, ValidationPipe } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Exclude, Type } from 'class-transformer';
import { IsEmail, IsInt, ValidateNested } from 'class-validator';
import { transformerPackage, validatorPackage } from './drop-in';

class Part {
  @IsInt() count!: number;
  @Exclude() secret?: string;
}

class Whole {
  @IsEmail({}, { groups: ['mail'], always: true }) email!: string;
  @ValidateNested() @Type(() => Part) part!: Part;
}

const inputs = [
  { email: 'a@b.co', part: { count: 1 } },
  { email: 'a', part: { count: '1' }, extra: true },
  { part: 7 },
];

describe('Nest’s own pipe and interceptor, with the packages', () => {
  it('validate the same', async () => {
    const options = { whitelist: true, forbidNonWhitelisted: true, transform: true };
    const metadata = { type: 'body', metatype: Whole } as const;
    for (const input of inputs) {
      const [withPackages, without] = await Promise.allSettled([
        new ValidationPipe({ ...options, validatorPackage, transformerPackage }).transform(input, metadata),
        new ValidationPipe(options).transform(input, metadata),
      ]);
      expect(withPackages).toEqual(without);
    }
  });

  it('send the same', () => {
    const sentBy = (options: object) =>
      new ClassSerializerInterceptor(new Reflector(), options).serialize(inputs, { type: Whole });
    expect(sentBy({ transformerPackage })).toEqual(sentBy({}));
    expect(sentBy({ transformerPackage })).not.toBe(inputs);
  });
});
