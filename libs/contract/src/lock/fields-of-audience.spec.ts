import 'reflect-metadata';
import { Exclude, Type } from 'class-transformer';
import { IsString } from 'class-validator';
import { Accept } from '../audiences/accept';
import { registerAudiences } from '../audiences/audience';
import { Expose, OwnedBy } from '../audiences/expose';
import type { RouteDescription } from '../route-description';
import { IfGiven } from '../rules/if-given';
import { fieldsOfAudience } from './fields-of-audience';

registerAudiences([
  { name: 'self', description: 'the account itself', ownerOf: ({ userId }) => userId },
  { name: 'admin', description: 'administrators', includes: ({ role }) => role === 'admin' },
]);

@Exclude()
@OwnedBy('id')
class Person {
  @Expose() id!: number;
  @Expose({ to: 'self' }) email!: string;
}

@Exclude()
class Team {
  @Expose({ to: 'admin' }) note!: string;
  @Expose({ to: 'admin' }) @Type(() => Person) owner!: Person;
}

class ChangeTeam {
  @IsString() name!: string;
  @Accept({ from: 'admin' }) @IfGiven() @IsString() note?: string;
}

describe('the fields of an audience', () => {
  const response = { type: Team, body: Team, shape: 'one', groups: [], options: {}, version: undefined };
  const route = {
    method: 'PATCH',
    path: '/teams/:id',
    sends: 'class',
    response,
    body: { type: ChangeTeam, groups: [] },
  };
  const fields = (name: string) => fieldsOfAudience([route as unknown as RouteDescription], name);

  it('are the fields that it is sent and may send', () => {
    expect(fields('admin')).toEqual([
      {
        route: 'PATCH /teams/:id',
        sends: ['note', 'owner.id', 'owner.email (if self)'],
        accepts: ['body.name', 'body.note'],
      },
    ]);
    expect(fields('anyone')).toEqual([{ route: 'PATCH /teams/:id', sends: [], accepts: ['body.name'] }]);
  });
});
