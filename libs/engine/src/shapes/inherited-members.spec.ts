import { Expose } from 'class-transformer';
import { IsString, MinLength } from 'class-validator';
import { prepareInheritedMembers } from './inherited-members';
import { readRules } from './rules/rule-shape';
import { selectKeys } from './transforms/selection';
import { readTransforms } from './transforms/transform-shape';

class Named {
  @Expose() @IsString() name!: string;
  @Expose({ toClassOnly: true }) @MinLength(2, { groups: ['create'] }) code!: string;
  @Expose({ groups: ['admin'] }) points!: number;
}

class Body extends Named {
  @IsString({ groups: ['create', 'update'] }) email!: string;
}

describe('members that bodies and responses inherit', () => {
  const rulesIn = (group: string) => readRules(Body, { groups: [group] }).properties.map(({ name }) => name);
  const exposed = (direction: 'toClass' | 'toPlain') =>
    selectKeys(readTransforms(Body), direction, { groups: ['admin'] }).exposed;

  it('have their rules in every group, and are exposed when they are sent', () => {
    expect([rulesIn('create'), rulesIn('update')]).toEqual([['email', 'code'], ['email']]);
    for (const _ of [1, 2]) {
      prepareInheritedMembers(Named);
      expect([rulesIn('create'), rulesIn('update')]).toEqual([
        ['email', 'name', 'code'],
        ['email', 'name'],
      ]);
      expect([exposed('toClass'), exposed('toPlain')]).toEqual([['code'], ['name', 'points']]);
    }
  });
});
