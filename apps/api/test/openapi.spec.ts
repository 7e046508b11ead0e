import { Validator } from '@seriousme/openapi-schema-validator';
import { bootApi } from '../testing/boot-api';

describe('the description of api', () => {
  const api = bootApi();
  const read = async () => (await api().get('/openapi.json')).json;

  it('is OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(await read());
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });
});
