import typescript from 'typescript';
import { typesOf } from '../scripts/client-types.mts';

const payment = {
  oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Transfer' }],
  discriminator: {
    propertyName: 'kind',
    mapping: { card: '#/components/schemas/Card', transfer: '#/components/schemas/Transfer' },
  },
};
const one = (name: string, member: object) => ({
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
      Card: one('card', { month: { type: 'integer' } }),
      Transfer: one('transfer', { account: { type: 'string' } }),
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
  it('narrow by the discriminator of a value', async () => {
    const types = `declare global {\n${library}\n}\ntype Record<K extends string, T> = { [P in K]: T };\n${await typesOf(JSON.stringify(document))}`;
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
});
