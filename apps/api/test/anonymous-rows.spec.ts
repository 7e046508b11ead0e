import { IdentityProvider } from '@app/accounts/testing';
import { testAnonymousRows } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

describe('api', () => {
  const env: Record<string, string> = { EMAIL_CODES: '5/1h', SIGN_UP_ADDRESS_LIMIT: '100/1h' };
  let provider: IdentityProvider;
  beforeAll(async () => {
    provider = await IdentityProvider.start('corp');
    Object.assign(env, provider.env);
  });
  afterAll(() => provider.stop());

  testAnonymousRows(bootApi({ env }), { provider: 'corp' });
});
