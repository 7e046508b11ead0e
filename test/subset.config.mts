// Read by the setup of the server and by the specs.
process.env.TEST_POSTGRES = 'subset';
// Read by the configuration.
process.env.DATABASE_IDS = 'time';

const { testsOf } = await import('../vitest.config.mts');

export default testsOf('subset');
