import { readSwaggerUi } from './swagger-ui';

describe('a file of Swagger UI', () => {
  it('is read once, and shared by all responses', async () => {
    const [one, other] = await Promise.all([
      readSwaggerUi('favicon-32x32.png'),
      readSwaggerUi('favicon-32x32.png'),
    ]);
    const { bytes } = await one.in('identity');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(other).toBe(one);
    expect(await readSwaggerUi('favicon-32x32.png')).toBe(one);
  });
});
