import 'reflect-metadata';
import { Exclude, Expose, Type } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import type { RouteDescription } from '../route-description';
import { acceptedMembers } from './accepted-members';
import { sentMembers } from './sent-members';

@Exclude()
class Payment {
  @Expose() @IsString() note!: string;
}

@Exclude()
class CardPayment extends Payment {
  @Expose() @IsInt() month!: number;
}

@Exclude()
class Purchase {
  @Expose()
  @ValidateNested()
  @Type(() => Payment, {
    discriminator: { property: 'kind', subTypes: [{ name: 'card', value: CardPayment }] },
  })
  payment!: Payment;
}

describe('the lock of a member whose class its value selects', () => {
  it('has the members of each class that is accepted', () => {
    expect(acceptedMembers('body', { type: Purchase, groups: [] })).toEqual({
      'body.payment': ['nested'],
      'body.payment.note': ['isString'],
      'body.payment(kind=card).month': ['isInt'],
      'body.payment(kind=card).note': ['isString'],
    });
  });

  it('has the members of each class that is sent, which the base class is not', () => {
    const response = {
      type: Purchase,
      body: Purchase,
      shape: 'one',
      groups: [],
      options: {},
      version: undefined,
    };
    expect(
      sentMembers({ response, sends: 'class' } as unknown as RouteDescription).map(({ path }) => path),
    ).toEqual(['payment(kind=card).note', 'payment(kind=card).month']);
  });
});
