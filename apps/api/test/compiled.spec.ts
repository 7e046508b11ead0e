import { uncompiledInputs } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

describe('input', () => {
  const api = bootApi();

  it('is validated by compiled code, every rule of every class', () => {
    expect(uncompiledInputs(api.app())).toEqual([]);
  });
});
