import { closestName } from './closest-name';

const names = ['PORT', 'HOST', 'DATABASE_URL', 'METRICS_PORT', 'LOG_LEVEL'];

describe('the name that a misspelt name means', () => {
  it.each([
    ['PORTT', 'PORT'],
    ['PROT', 'PORT'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABAES_ULR', 'DATABASE_URL'],
    ['METRIC_PORT', 'METRICS_PORT'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['log_level', 'LOG_LEVEL'],
  ])('of %s is %s', (misspelt, name) => {
    expect(closestName(misspelt, names)).toBe(name);
  });

  it.each(['HOME', 'PATH', 'HOSTNAME', 'LOGNAME', 'TEST_DATABASE_URL', 'DATABASE_POOL'])(
    'is not there for %s',
    (name) => {
      expect(closestName(name, names)).toBeUndefined();
    },
  );
});
