import { testDescription } from '@app/service/testing';
import { bootApi } from '../testing/boot-api';

describe('what the description of api allows', () => {
  testDescription(bootApi(), { inputs: 26, bodies: 9 });
});
