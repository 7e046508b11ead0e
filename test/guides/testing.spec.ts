import { WeatherController } from '../../docs/guides/testing.md';

describe('docs/guides/testing.md', () => {
  it('is a test file itself', () => {
    expect(WeatherController).toBeDefined();
  });
});
