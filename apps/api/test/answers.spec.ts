import { responsesLeftToLibrary } from '@app/serialization';
import { bootApi } from '../testing/boot-api';

describe('the responses of api', () => {
  const api = bootApi();

  it('are written by compiled code completely', () => {
    expect(responsesLeftToLibrary(api.app())).toEqual([]);
  });
});
