import type { Names } from '../names.mts';

/**
 * The files of a new library: a module and its service, exported by one index.
 *
 * @returns text by path, relative to the library's folder
 */
export function libFiles(names: Names): Record<string, string> {
  const { kebab } = names;
  return {
    'README.md': readme(names),
    'src/index.ts': index(names),
    [`src/nest/${kebab}.module.ts`]: libModule(names),
    [`src/nest/${kebab}.service.ts`]: service(names),
    [`src/nest/${kebab}.spec.ts`]: spec(names),
  };
}

function readme({ kebab, pascal }: Names): string {
  return `# @app/${kebab}

Provides its own name.

\`\`\`ts
import { Module } from '@nestjs/common';
import { ${pascal}Module, ${pascal}Service } from '@app/${kebab}';

@Module({ imports: [${pascal}Module] })
export class AppModule {
  constructor(${kebab.replaceAll('-', '')}: ${pascal}Service) {}
}
\`\`\`

It rejects nothing.
`;
}

function index({ kebab, pascal }: Names): string {
  return `export { ${pascal}Module } from './nest/${kebab}.module';
export { ${pascal}Service } from './nest/${kebab}.service';
`;
}

function libModule({ kebab, pascal }: Names): string {
  return `import { Module } from '@nestjs/common';
import { ${pascal}Service } from './${kebab}.service';

/** Exports {@link ${pascal}Service}. */
@Module({ providers: [${pascal}Service], exports: [${pascal}Service] })
export class ${pascal}Module {}
`;
}

function service({ kebab, pascal }: Names): string {
  return `import { Injectable } from '@nestjs/common';

/** Has the name of the library. */
@Injectable()
export class ${pascal}Service {
  /** The library's name, as in its alias. */
  readonly name = '${kebab}';
}
`;
}

function spec({ kebab, pascal }: Names): string {
  return `import { Test } from '@nestjs/testing';
import { ${pascal}Module } from './${kebab}.module';
import { ${pascal}Service } from './${kebab}.service';

describe('${kebab}', () => {
  it('exports its service from its module', async () => {
    const app = await Test.createTestingModule({ imports: [${pascal}Module] }).compile();
    expect(app.get(${pascal}Service).name).toBe('${kebab}');
    await app.close();
  });
});
`;
}
