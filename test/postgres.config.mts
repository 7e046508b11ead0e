import { testsOf } from '../vitest.config.mts';

export default testsOf('postgres');
