import { commandLine } from './command-line';

const called = (argv0: string, main: string, npm?: string) => ({
  argv: ['/usr/bin/node', main],
  argv0,
  env: { npm_lifecycle_event: npm },
  cwd: () => '/opt/sluice',
});

describe('a command in a message', () => {
  it.each([
    [
      'npm',
      called('node', '/opt/sluice/scripts/command.mts', 'start'),
      'npm start',
      'npm run keys -- rotate',
    ],
    ['node', called('node', '/opt/sluice/api/main.js'), 'node api/main.js', 'node api/main.js keys rotate'],
    ['node, elsewhere', called('node', '/srv/main.js'), 'node /srv/main.js', 'node /srv/main.js keys rotate'],
    ['an executable', called('./api', './api'), './api', './api keys rotate'],
    ['an executable in the path', called('api', 'api', 'start'), 'api', 'api keys rotate'],
  ])('is called as the program was: by %s', (_, started, program, command) => {
    expect([commandLine([], started), commandLine(['keys', 'rotate'], started)]).toEqual([program, command]);
  });
});
