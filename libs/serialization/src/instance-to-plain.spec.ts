import 'reflect-metadata';
import {
  type ClassTransformOptions,
  Exclude,
  Expose,
  instanceToPlain as reference,
  Transform,
} from 'class-transformer';
import { instanceToPlain } from './instance-to-plain';

class User {
  id = 1;
  @Exclude() password = 'hidden';
  @Expose({ groups: ['admin'] }) email = 'a@b.co';
  @Transform(({ options }) => Object.keys(options).length) options = 0;
}

describe('instanceToPlain, compiled', () => {
  it('returns the same as class-transformer, for any options', () => {
    const choices: (ClassTransformOptions | undefined)[] = [
      undefined,
      {},
      { groups: ['admin'] },
      { groups: ['admin', 'user'], version: 2 },
      { exposeUnsetFields: undefined },
      { enableCircularCheck: true },
      Object.assign({ groups: ['admin'] }, { locale: 'en' }),
    ];
    for (const options of [...choices, ...choices]) {
      expect(instanceToPlain(new User(), options)).toEqual(reference(new User(), options));
      expect(instanceToPlain([new User()], options)).toEqual(reference([new User()], options));
    }
  });
});
