import { holdDescription } from '@app/service/testing';
import { bootAdmin } from '../testing/boot-admin';

describe('what the description of admin allows', () => {
  holdDescription(bootAdmin(), { inputs: 10, bodies: 3 });
});
