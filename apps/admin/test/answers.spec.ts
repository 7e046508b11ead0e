import { answersLeftToLibrary } from '@app/serialization';
import { bootAdmin } from '../testing/boot-admin';

describe('the responses of admin', () => {
  const admin = bootAdmin();

  it('are written by compiled code, every part of them', () => {
    expect(answersLeftToLibrary(admin.app())).toEqual([]);
  });
});
