import { uncompiledInputs } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

describe('what callers send', () => {
  const admin = bootAdmin();

  it('is checked by written code, every rule of every class', () => {
    expect(uncompiledInputs(admin.app())).toEqual([]);
  });
});
