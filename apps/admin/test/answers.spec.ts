import { responsesLeftToLibrary } from '@app/serialization';
import { bootAdmin } from '../testing/boot-admin';

describe('the responses of admin', () => {
  const admin = bootAdmin();

  it('are written by compiled code completely', () => {
    expect(responsesLeftToLibrary(admin.app())).toEqual([]);
  });
});
