import { testsOf } from '../vitest.config.mts';

// Read by the setup of the server and by the specs.
process.env.TEST_POSTGRES = 'subset';

export default testsOf('subset');
