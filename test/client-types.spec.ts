import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import typescript from 'typescript';
import { clientTypes, typesOf } from '../scripts/client-types.mts';
import { listApplications, root } from '../scripts/workspace.mts';

const payment = {
  oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Transfer' }],
  discriminator: {
    propertyName: 'kind',
    mapping: { card: '#/components/schemas/Card', transfer: '#/components/schemas/Transfer' },
  },
};
const variant = (name: string, member: object) => ({
  type: 'object',
  properties: { kind: { type: 'string', const: name }, ...member },
  required: ['kind', ...Object.keys(member)],
});
const document = {
  openapi: '3.1.0',
  info: { title: 'Purchases', version: '1' },
  paths: {},
  components: {
    schemas: {
      Card: variant('card', { month: { type: 'integer' } }),
      Transfer: variant('transfer', { account: { type: 'string' } }),
      Purchase: { type: 'object', properties: { payment }, required: ['payment'] },
    },
  },
};

/** The types without those of JavaScript's library, which no test here needs. */
const library = [
  'Array',
  'Boolean',
  'CallableFunction',
  'Function',
  'IArguments',
  'NewableFunction',
  'Number',
  'Object',
  'RegExp',
  'String',
]
  .map((name) => `interface ${name}${name === 'Array' ? '<T>' : ''} {}`)
  .join('\n');

function problemsOf(source: string): string[] {
  const options = { noLib: true, strict: true, noEmit: true, types: [] };
  const host = typescript.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) =>
    name === 'purchase.ts' ? typescript.createSourceFile(name, source, version) : readSource(name, version);
  const program = typescript.createProgram(['purchase.ts'], options, host);
  return typescript
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => typescript.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the types of a client', () => {
  const declared = async (description: object) =>
    `declare global {\n${library}\ninterface Blob { size: number }\n}
type Record<K extends string, T> = { [P in K]: T };\n${await typesOf(JSON.stringify(description))}`;

  it('narrow by the discriminator of a value', async () => {
    const types = await declared(document);
    const use = (body: string) =>
      `${types}\nfunction use(payment: components['schemas']['Purchase']['payment']) { ${body} }`;
    const narrowed = `if (payment.kind === 'card') { const month: number = payment.month; return month; }
      const account: string = payment.account; return account;`;
    expect(problemsOf(use(narrowed))).toEqual([]);
    expect(problemsOf(use('return payment.month;'))).toEqual([
      expect.stringContaining("'month' does not exist"),
    ]);
    expect(problemsOf(use(`return payment.kind === 'cash';`))).toEqual([
      expect.stringContaining('no overlap'),
    ]);
  });
  it('leave a member out of a request that has a default, and have a Blob for bytes', async () => {
    const limit = { type: 'integer', default: 20 };
    const NewTask = { type: 'object', properties: { limit }, required: [] };
    const sends = (...types: string[]) => {
      const schema = types.includes('text/plain') ? { type: 'string' } : {};
      const content = Object.fromEntries(types.map((type) => [type, { schema }]));
      return { get: { responses: { 200: { description: 'OK', content } } } };
    };
    const paths = {
      '/report': sends('application/json', 'text/csv'),
      '/note': sends('text/plain'),
      '/anything': sends('application/json'),
    };
    const types = await declared({ ...document, paths, components: { schemas: { NewTask } } });
    const sent = (path: string, type: string) =>
      `paths['${path}']['get']['responses'][200]['content']['${type}']`;
    const use = `const task: components['schemas']['NewTask'] = {};
      function csv(body: ${sent('/report', 'text/csv')}): Blob { return body; }
      function json(body: ${sent('/report', 'application/json')}): Blob { return body; }
      function note(body: ${sent('/note', 'text/plain')}): string { return body; }
      function misread(body: ${sent('/anything', 'application/json')}): Blob { return body; }`;
    const { 'routes.ts': facts } = await clientTypes(JSON.stringify({ ...document, paths }), 'shop');
    expect(facts).toContain(`{"GET /report":"blob","GET /note":"text"}`);
    expect(problemsOf(`${types}\n${use}`)).toEqual([expect.stringContaining(`'unknown' is not assignable`)]);
  });

  it('are exported by the name of their schema, also if a global type has it', async () => {
    const schemas = { Record: {}, 'User.admin': {}, 'UserDto.create2': {} };
    const { 'schemas.ts': source } = await clientTypes(
      JSON.stringify({ ...document, components: { schemas } }),
      'shop',
    );
    expect(source?.match(/^export .*$/gm)).toEqual([
      `export type Record = components['schemas']['Record'];`,
      `export type UserAdmin = components['schemas']['User.admin'];`,
      `export type UserDtoCreate2 = components['schemas']['UserDto.create2'];`,
    ]);
  });

  it.each(listApplications())('never hide the global Error: %s has no such schema', (application) => {
    const description: typeof document = JSON.parse(
      readFileSync(join(root, 'apps', application, 'openapi.json'), 'utf8'),
    );
    expect(Object.keys(description.components.schemas)).not.toContain('Error');
  });
});
