import { uncompiledInputs } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

describe('input', () => {
  const admin = bootAdmin();

  it('is validated by compiled code, every rule of every class', () => {
    expect(uncompiledInputs(admin.app())).toEqual([]);
  });
});
