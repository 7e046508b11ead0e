import { answersLeftToLibrary } from '@app/serialization';
import { bootApi } from '../testing/boot-api';

describe('the responses of api', () => {
  const api = bootApi();

  it('are written by compiled code, every part of them', () => {
    expect(answersLeftToLibrary(api.app())).toEqual([]);
  });
});
