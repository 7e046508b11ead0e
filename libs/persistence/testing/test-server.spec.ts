import { temporaryDatabase } from './temporary-database';

describe.runIf(process.env.TEST_DATABASE_URL === undefined)('the server of tests', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is not named by DATABASE_URL', () => {
    vi.stubEnv('DATABASE_URL', 'postgres://localhost/shop');
    expect(() => temporaryDatabase()).toThrow('name the server of the tests by TEST_DATABASE_URL');
  });
});
