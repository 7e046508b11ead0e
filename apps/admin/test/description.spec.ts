import { testDescription } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

describe('what the description of admin allows', () => {
  testDescription(bootAdmin(), { inputs: 10, bodies: 3 });
});
