import { uncompiledInputs } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

describe('what callers send', () => {
  const api = bootApi();

  it('is checked by written code, every rule of every class', () => {
    expect(uncompiledInputs(api.app())).toEqual([]);
  });
});
