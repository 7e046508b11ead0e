import { testAnonymousRows } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

describe('admin', () => {
  testAnonymousRows(bootAdmin({ env: { EMAIL_CODES: '5/1h' } }));
});
