import { Validator } from '@seriousme/openapi-schema-validator';
import { bootAdmin } from '../testing/boot-admin';

describe('the description of admin', () => {
  const admin = bootAdmin();
  const read = async () => (await admin().get('/openapi.json')).json;

  it('is OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(await read());
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });
});
