import { Public } from '@app/auth';
import { invalidObjects, schemaChecker, validValues } from '@app/contract/testing';
import { Returns, Schema } from '@app/contract';
import { type Client } from '@app/service/testing';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Exclude, Expose, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import fc from 'fast-check';
import { bootApi } from '../testing/boot-api';

/** The rules allow only the kinds that the classes below declare. */
@Exclude()
class Payment {
  @Expose() @IsIn(['card', 'transfer']) kind!: string;
}

@Exclude()
class CardPayment extends Payment {
  @Expose() @IsInt() @Min(1) @Max(12) @Schema({ type: 'integer' }) month!: number;
}

@Exclude()
class TransferPayment extends Payment {
  @Expose() @IsString() @MaxLength(34) account!: string;
}

/** Also accepted by itself, as the kind of its value is removed before its rules. */
@Exclude()
class Parcel {
  @Expose() @IsInt() @Min(1) @Max(9000) @Schema({ type: 'integer' }) grams!: number;
}

@Exclude()
class Letter {
  @Expose()
  @IsOptional()
  @IsString()
  @MaxLength(9)
  @Schema({ type: ['string', 'null'] }, { isOptional: true })
  note?: string | null;
}

const payments = {
  keepDiscriminatorProperty: true,
  discriminator: {
    property: 'kind',
    subTypes: [
      { name: 'card', value: CardPayment },
      { name: 'transfer', value: TransferPayment },
    ],
  },
};
const sendings = {
  discriminator: {
    property: 'as',
    subTypes: [
      { name: 'letter', value: Letter },
      { name: 'parcel', value: Parcel },
    ],
  },
};

@Exclude()
class Purchase {
  @Expose() @IsDefined() @ValidateNested() @Type(() => Payment, payments) payment!: Payment;

  @Expose()
  @IsArray()
  @ArrayMaxSize(4)
  @ValidateNested({ each: true })
  @Type(() => Payment, payments)
  refunds!: Payment[];

  @Expose()
  @IsOptional()
  @ValidateNested()
  @Type(() => Parcel, sendings)
  @Schema({ type: ['object', 'null'] }, { isOptional: true })
  sending?: Parcel;
}

@Controller('purchases')
@Public()
class PurchasesController {
  @Post()
  @HttpCode(200)
  @Returns(Purchase)
  create(@Body() purchase: Purchase): Purchase {
    return purchase;
  }
}

/** The schemas for this test's routes alone; compiling all schemas takes seconds. */
function onlyOwn(document: any): any {
  const own = Object.entries(document.components.schemas).filter(([name]) =>
    /^(?:Purchase|\w*Payment|Parcel|Letter)\b/.test(name),
  );
  return { components: { schemas: Object.fromEntries(own) } };
}

describe.each(['compiled', 'nest'] as const)('parts whose class a member selects (routes: %s)', (routes) => {
  const api = bootApi({ controllers: [PurchasesController], routes });
  const path = '/purchases';
  let document: any;
  let client: Client;
  beforeAll(async () => {
    client = api();
    document = (await client.get('/openapi.json')).json;
  });
  const bodyOf = () => document.paths[path].post.requestBody.content['application/json'].schema;
  const answerOf = () => document.paths[path].post.responses[200].content['application/json'].schema;
  const schemaAt = (schema: any): any => document.components.schemas[schema.$ref.split('/').at(-1)];

  it('are one of the classes, by the discriminator', () => {
    const { payment, refunds, sending } = schemaAt(bodyOf()).properties;
    expect(payment.discriminator).toEqual({
      propertyName: 'kind',
      mapping: { card: payment.oneOf[0].$ref, transfer: payment.oneOf[1].$ref },
    });
    expect(refunds).toEqual({ type: 'array', maxItems: 4, items: payment });
    expect(schemaAt(payment.oneOf[0])).toMatchObject({
      properties: { kind: { const: 'card' }, month: { maximum: 12 } },
      required: ['kind', 'month'],
    });
    const [{ anyOf: either }, nothing] = sending.anyOf;
    expect([either[0].discriminator.propertyName, nothing]).toEqual(['as', { type: 'null' }]);
    expect(schemaAt(either[1]).properties.as).toEqual({ not: { enum: ['letter', 'parcel'] } });
  });

  it('are sent with the name of their class, if it exposes the member', () => {
    const { payment, sending } = schemaAt(answerOf()).properties;
    expect(payment.discriminator.mapping).toEqual({
      card: payment.oneOf[0].$ref,
      transfer: payment.oneOf[1].$ref,
    });
    expect(schemaAt(payment.oneOf[1]).properties.kind).toEqual({ type: 'string', const: 'transfer' });
    expect(sending.anyOf[0]).not.toHaveProperty('discriminator');
    expect(schemaAt(sending.anyOf[0].anyOf[0]).properties).not.toHaveProperty('as');
  });

  it('are accepted, and sent, as described', async () => {
    const { schemas } = document.components;
    const isDescribed = schemaChecker(onlyOwn(document))(answerOf());
    await fc.assert(
      fc.asyncProperty(validValues(bodyOf(), schemas), async (value) => {
        const { status, json } = await client.post(path, value);
        expect([value, status, json]).toEqual([value, 200, json]);
        expect([json, isDescribed(json)]).toEqual([json, undefined]);
      }),
      { numRuns: 40 },
    );
  });

  it('are refused unless described', async () => {
    const { schemas } = document.components;
    for (const invalid of invalidObjects(bodyOf(), schemas))
      await fc.assert(
        fc.asyncProperty(invalid, async (value) => {
          expect([value, (await client.post(path, value)).status]).toEqual([value, 400]);
        }),
        { numRuns: 5 },
      );
  });

  it.each([
    [null],
    ['card'],
    [[]],
    [{}],
    [{ kind: 'cash' }],
    [{ kind: 'card', account: 'x' }],
    [{ kind: { a: 1 } }],
  ])('are refused as a list has %j', async (refund) => {
    const body = { payment: { kind: 'card', month: 1 }, refunds: [refund] };
    expect((await client.post(path, body)).status).toBe(400);
  });
});
