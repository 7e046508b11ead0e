import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pagesOf } from './pages/pages';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const libraryOf = (path: string) => path.replaceAll('\\', '/').split('/')[1] ?? '';

/** The classes of the libraries, with the library of each. */
const classes = new Map(
  globSync('libs/*/src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.spec.ts'))
    .flatMap((path) =>
      [...read(path).matchAll(/^export (?:abstract )?class (\w+)/gm)].map(
        ([, name = '']) => [name, libraryOf(path)] as const,
      ),
    ),
);

/** The names that the indexes export. */
const exported = new Set(
  globSync('libs/*/src/{index,nest}.ts', { cwd: root }).flatMap((path) =>
    [...read(path).matchAll(/^export (?:type )?(?:\{([^}]*)\}|const (\w+))/gm)].flatMap(
      ([, names = '', constant = '']) =>
        [...names.split(','), constant].map((name) => name.trim().replace(/^type /, '')),
    ),
  ),
);

/** The pages for those who build on the libraries. */
const pages = pagesOf(root).filter((path) =>
  /^(README|docs\/guides\/[\w-]+|libs\/[\w-]+\/README)\.md$/.test(path),
);

describe('the classes that a guide or a README names', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`([A-Z]\w+)`/g)].map(([, name = '']) => ({ page, name })),
  );

  it('include the services of accounts', () => {
    const names = new Set(named.map(({ name }) => name));
    const services = ['PasswordCheck', 'SignInSequence', 'SessionSignIn', 'SignInLimits', 'Challenges'];
    const more = ['MailTokens', 'Limiter', 'Mailer', 'AuditLog', 'Login', 'SignUp', 'Accounts'];
    expect([...services, ...more].filter((name) => !names.has(name) || !classes.has(name))).toEqual([]);
  });

  it('are exported', () => {
    const missing = named
      .filter(({ name }) => classes.has(name) && !exported.has(name))
      .map(
        ({ page, name }) => `${page} names ${name}: export it from libs/${classes.get(name)}/src/index.ts`,
      );
    expect([...new Set(missing)]).toEqual([]);
  });
});

describe('the port of a way to sign in', () => {
  const readme = read('libs/accounts/README.md');
  const [, page = ''] = /^### The port of a way to sign in$([^]*?)^(?=#)/m.exec(readme) ?? [];
  const rows = [...page.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
  const names = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));

  it('has at most twelve names on its page', () => {
    expect(names).toEqual(expect.arrayContaining(['SignInFactor', 'FactorEnrolments', 'SignInServices']));
    expect(names.length).toBeLessThanOrEqual(12);
  });

  it('is what second factors import', () => {
    const imported = globSync('libs/second-factors/src/**/*.ts', { cwd: root })
      .filter((path) => !path.endsWith('.spec.ts'))
      .flatMap((path) =>
        Array.from(read(path).matchAll(/import (?:type )?\{([^}]*)\} from '@app\/accounts'/g)),
      )
      .flatMap(([, list = '']) => list.split(',').map((name) => name.trim().replace(/^type /, '')))
      .filter((name) => name !== '');
    expect(names.toSorted()).toEqual([...new Set(imported)].toSorted());
  });
});
