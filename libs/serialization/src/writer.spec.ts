import { Exclude, Expose } from 'class-transformer';
import { writerOf } from './writer';

@Exclude()
class User {
  @Expose() id!: number;
  @Expose({ groups: ['admin'] }) role!: string;
  password!: string;
}

describe('writer', () => {
  it('sends a row', () => {
    expect(writerOf(User, { groups: ['admin'] })({ id: 1, role: 'x', password: 'y' })).toBe(
      '{"id":1,"role":"x"}',
    );
    expect(writerOf(User, {})({ id: 1, role: 'x', password: 'y' })).toBe('{"id":1}');
  });
});
