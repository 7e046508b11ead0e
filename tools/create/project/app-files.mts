import { readName } from '../../../scripts/workspace.mts';
import type { Names } from '../names.mts';

/**
 * The files of a new application: complete, with `GET /` as its only public route, on the store that the others use.
 *
 * @returns text by path, relative to the application's folder
 */
export function appFiles(names: Names): Record<string, string> {
  const { kebab } = names;
  return {
    'main.js': entry(names),
    'src/main.ts': main(names),
    [`src/${kebab}.program.ts`]: program(names),
    'src/descriptions.ts': noDescriptions,
    'src/home/home.controller.ts': home,
    'src/home/home.plugin.ts': homePlugin,
    'src/home/home.spec.ts': homeSpec(names),
    'test/promises.spec.ts': promises(names),
    [`testing/boot-${kebab}.ts`]: boot(names),
  };
}

function entry({ kebab }: Names): string {
  return `// The entry of the built program: \`nest build\` copies this file to dist/apps/${kebab}/main.js, whichever builder writes the
// rest. Source maps are enabled before anything else is loaded: a map is only read together with its file.
require('node:module').setSourceMapsSupport?.(true);
require('./apps/${kebab}/src/main.js');
`;
}

function main({ kebab }: Names): string {
  return `import { runProgram } from '@app/service';
import { program } from './${kebab}.program';

void runProgram(program);
`;
}

function program({ kebab }: Names): string {
  return `import { accounts } from '@app/accounts';
import { backup, defineProgram } from '@app/service';
import { descriptions } from './descriptions';
import { home } from './home/home.plugin';

/** The program \`${kebab}\`, for its entry, its tests, and the scripts that describe it. */
export const program = defineProgram({
  name: '${kebab}',
  descriptions,
  plugins: [accounts(), backup(), home],
  resources: [],
});
`;
}

const homePlugin = `import { definePlugin } from '@app/service';
import { HomeController } from './home.controller';

/** The name of the program, at \`GET /\`. */
export const home = definePlugin({ name: 'home', controllers: [HomeController] });
`;

/** Written by `npm run generate`, which loads the program. */
const noDescriptions = `export const descriptions: Readonly<Record<string, string>> = {};
`;

const home = `import { Public } from '@app/auth';
import { AboutService } from '@app/service';
import { Controller, Get } from '@nestjs/common';

/** \`GET /\`: name and version of the program. */
@Controller()
export class HomeController {
  constructor(private readonly about: AboutService) {}

  /** Returns name and version of the program, as text. */
  @Get()
  @Public()
  read(): string {
    return this.about.about();
  }
}
`;

function homeSpec({ kebab, camel, pascal }: Names): string {
  return `import { boot${pascal} } from '../../testing/boot-${kebab}';

describe('GET / of ${kebab}', () => {
  const ${camel} = boot${pascal}();

  it('returns name and version', async () => {
    expect((await ${camel}().get('/')).text).toMatch(/^${readName().replaceAll(/[^\w-]/g, String.raw`\$&`)} \\d+\\.\\d+\\.\\d+ \\(${kebab}\\)$/);
  });

  it('is the only public route', async () => {
    expect((await ${camel}().get('/auth/profile')).status).toBe(401);
  });
});
`;
}

function promises({ kebab }: Names): string {
  return `import { theProgramKeepsItsPromises } from '@app/service/testing';
import { program } from '../src/${kebab}.program';

theProgramKeepsItsPromises(program);
`;
}

function boot({ kebab, pascal }: Names): string {
  return `import { type BootedProgram, bootProgram, type BootPlan } from '@app/service/testing';
import { program } from '../src/${kebab}.program';

/** Runs \`${kebab}\` for one test file. */
export function boot${pascal}(
  plan: Pick<BootPlan<typeof program.declarations>, 'env' | 'controllers'> = {},
): BootedProgram {
  return bootProgram({
    ...program,
    ...plan,
  });
}
`;
}
