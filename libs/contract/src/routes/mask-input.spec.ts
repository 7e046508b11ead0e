import 'reflect-metadata';
import type { ArgumentMetadata } from '@nestjs/common';
import { Expose, Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { InvalidInputError } from '../input-problems/errors';
import { invalidInput } from '../input-problems/invalid-input';
import { compareRules } from '../lock/compare-rules';
import { acceptedMembers } from '../lock/accepted-members';
import { InputPipe } from './input.pipe';
import { IfGiven } from '../rules/if-given';
import { Accept } from '../audiences/accept';
import { type AudienceCaller, registerAudiences } from '../audiences/audience';
import { acceptFindings } from '../input-findings/accept-findings';
import { maskInput } from './mask-input';

registerAudiences([
  { name: 'self', description: 'the account itself', ownerOf: ({ userId }) => userId },
  { name: 'admin', description: 'administrators', includes: ({ role }) => role === 'admin' },
]);

class Line {
  @IsString() sku!: string;
  @Accept({ from: 'admin' }) @IfGiven() @IsInt() @Min(0) @Max(100) discount?: number;
}

class Order {
  @IsArray() @ArrayMaxSize(9) @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
  @Accept({ from: ['admin'] }) @Expose({ name: 'memo' }) @IfGiven() @IsString() note?: string;
}

class BigOrder extends Order {}

const options = {
  whitelist: true,
  forbidNonWhitelisted: true,
  transform: true,
  hardened: true,
  exceptionFactory: invalidInput,
};
const asBody: ArgumentMetadata = { type: 'body', metatype: BigOrder };

/** Returns the accepted input, or the messages. */
async function accepted(input: unknown, caller?: AudienceCaller, unknownMembers?: 'strip'): Promise<unknown> {
  const pipe = new InputPipe(options, unknownMembers);
  try {
    const decided = caller === undefined ? input : maskInput(BigOrder, input, caller);
    return JSON.parse(JSON.stringify(await pipe.transform(decided, asBody)));
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return error.reply.message;
  }
}

const order = { memo: 'm', lines: [{ sku: 'a', discount: 5 }] };
const refusals = ['property memo should not exist', 'lines.0.property discount should not exist'];

describe('a member that some callers may send', () => {
  it('is accepted from its audience, also in a list', async () => {
    expect(await accepted(order, { role: 'admin' })).toEqual({ note: 'm', lines: order.lines });
  });

  it('is unknown to other callers, and to a pipe without a caller', async () => {
    expect(await accepted(order, { role: 'user' })).toEqual(refusals);
    expect(await accepted(order)).toEqual(refusals);
    expect(await accepted({ ...order, memo: undefined, note: 'm' }, { role: 'user' })).toContain(
      'property note should not exist',
    );
  });

  it('is removed where unknown members are', async () => {
    expect(await accepted(order, { role: 'user' }, 'strip')).toEqual({ lines: [{ sku: 'a' }] });
  });

  it('leaves all other input as it is', () => {
    const plain = { sku: 'a' };
    class Plain {
      @IsString() sku!: string;
    }
    expect(maskInput(Plain, plain, {})).toBe(plain);
  });

  it('is locked with its audiences', () => {
    expect(acceptedMembers('body', { type: Line, groups: [] })['body.discount']).toContain('from(["admin"])');
    expect(compareRules('body.x', ['from(["admin"])'], ['from(["admin","user"])'])).toMatchObject([
      { isWider: true },
    ]);
    expect(compareRules('body.x', ['from(["admin","user"])'], ['from(["admin"])'])).toMatchObject([
      { isWider: false },
    ]);
    expect(compareRules('body.x', ['from(["admin"])'], [])).toMatchObject([{ isWider: true }]);
  });

  it('has a finding if it can be in a class that a value chooses', () => {
    class Chosen {
      @ValidateNested() @Type((value) => (value?.object['isLine'] ? Line : Order)) part!: object;
    }
    expect(acceptFindings(Chosen, [])).toMatchObject([
      { code: 'SLUICE-C119', place: { type: Chosen, member: 'part' } },
    ]);
  });

  it('has a finding if its audience is unknown or owns rows, or if it is required', () => {
    class Faulty {
      @Accept({ from: ['self', 'nobody'] }) @IsString() text!: string;
    }
    expect(acceptFindings(BigOrder, [])).toEqual([]);
    expect(acceptFindings(Faulty, [])).toMatchObject([
      { code: 'SLUICE-C117', problem: expect.stringContaining("'self'") },
      { code: 'SLUICE-C117', problem: expect.stringContaining("'nobody'") },
      { code: 'SLUICE-C118', place: { type: Faulty, member: 'text' } },
    ]);
    expect(() => Accept({ from: [] })).toThrow('remove it');
  });
});
