import type { Field, FieldType } from './fields.mts';
import type { Resource } from './resource.mts';

/** By type: a valid value, different for each `n`. */
const SAMPLES: Readonly<Record<FieldType, (name: string) => string>> = {
  text: (name) => `\`${name} \${n}\``,
  integer: () => 'n',
  boolean: () => 'n % 2 === 0',
  timestamp: () => 'new Date(Date.UTC(2026, 0, 1) + n).toISOString()',
};

/** By type: invalid values. */
const WRONG: Readonly<Record<FieldType, string>> = {
  text: "['', 1, null, 'x'.repeat(201)]",
  integer: "[1.5, '1', null, 2 ** 53]",
  boolean: "['true', 1, null]",
  timestamp: "['2026-11-21', 1, null, '2026-02-30T00:00:00Z']",
};

/** The spec of the resource, over HTTP on a real store. */
export function specFile(resource: Resource): string {
  const { pascal, plural, fields } = resource;
  const [first] = fields;
  if (first === undefined) throw new TypeError('a resource needs at least one field');
  const names = fields.map(({ name }) => `'${name}'`).join(', ');
  return `import type { Client } from '@app/service/testing';
import { bootApi } from '../../testing/boot-api';

let serial = 0;
function a${pascal}(n = (serial += 1)) {
  return { ${fields.map(({ name, type }) => `${name}: ${SAMPLES[type](name)}`).join(', ')} };
}

describe('${plural.replaceAll('-', ' ')}', () => {
  const api = bootApi();
  let admin: Client;
  let reader: Client;
  beforeAll(async () => {
    admin = await api.administrator();
    reader = await api.newcomer();
  });

  it('are created by administrators, and read by every user', async () => {
    const sent = a${pascal}();
    const made = await admin.post('/${plural}', sent);
    expect(made.status).toBe(201);
    expect(Object.keys(made.json)).toEqual(['id', ${names}, 'createdAt']);
    expect(made.json).toMatchObject(sent);
    const place = made.headers.get('location') ?? '';
    expect(place).toBe(\`/${plural}/\${made.json.id}\`);
    expect((await reader.get(place)).json).toEqual(made.json);
    expect((await reader.get('/${plural}?limit=100')).json.items).toContainEqual(made.json);
  });

  it('require a caller, and are changed by administrators only', async () => {
    const { id } = (await admin.post('/${plural}', a${pascal}())).json;
    expect((await api().get('/${plural}')).status).toBe(401);
    expect((await reader.post('/${plural}', a${pascal}())).status).toBe(403);
    expect((await reader.patch(\`/${plural}/\${id}\`, {})).status).toBe(403);
    expect((await reader.delete(\`/${plural}/\${id}\`)).status).toBe(403);
  });

  it('reject invalid fields', async () => {
    const wrong: Readonly<Record<string, readonly unknown[]>> = { ${fields.map(wrong).join(', ')} };
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) {
        const { status } = await admin.post('/${plural}', { ...a${pascal}(), [field]: value });
        expect([field, value, status]).toEqual([field, value, 400]);
      }
    expect((await admin.post('/${plural}', { ...a${pascal}(), unknown: 1 })).status).toBe(400);
  });

  it('update the given fields only', async () => {
    const made = (await admin.post('/${plural}', a${pascal}())).json;
    const place = \`/${plural}/\${made.id}\`;
    const change = { ${first.name}: a${pascal}().${first.name} };
    expect((await admin.patch(place, change)).json).toEqual({ ...made, ...change });
    expect((await admin.patch(place, {})).json).toEqual({ ...made, ...change });
  });
${nullables(resource)}${uniques(resource)}
  it('are 404 after they were removed', async () => {
    const { id } = (await admin.post('/${plural}', a${pascal}())).json;
    const place = \`/${plural}/\${id}\`;
    expect((await admin.delete(place)).status).toBe(204);
    const [read, changed, removed] = [await admin.get(place), await admin.patch(place, {}), await admin.delete(place)];
    expect([read.status, changed.status, removed.status]).toEqual([404, 404, 404]);
  });
});
`;
}

/** Null is invalid for a required field. */
function wrong({ name, type, isNullable }: Field): string {
  return `${name}: ${isNullable ? WRONG[type].replace(' null,', '').replace(', null]', ']') : WRONG[type]}`;
}

function nullables({ pascal, plural, fields }: Resource): string {
  const nothing = fields.filter(({ isNullable }) => isNullable).map(({ name }) => `${name}: null`);
  if (nothing.length === 0) return '';
  return `
  it('may lack optional fields', async () => {
    const nothing = { ${nothing.join(', ')} };
    const { id } = (await admin.post('/${plural}', a${pascal}())).json;
    expect((await admin.patch(\`/${plural}/\${id}\`, nothing)).json).toMatchObject(nothing);
    const sparse = { ...a${pascal}(), ${nothing.join(', ').replaceAll('null', 'undefined')} };
    expect((await admin.post('/${plural}', sparse)).json).toMatchObject(nothing);
  });
`;
}

function uniques({ pascal, plural, fields }: Resource): string {
  const unique = fields.filter(({ isUnique }) => isUnique).map(({ name }) => name);
  if (unique.length === 0) return '';
  return `
  it.each([${unique.map((name) => `'${name}'`).join(', ')}] as const)('reject a %s that is taken', async (field) => {
    const taken = a${pascal}();
    const { id } = (await admin.post('/${plural}', a${pascal}())).json;
    await admin.post('/${plural}', taken);
    const again = await admin.post('/${plural}', { ...a${pascal}(), [field]: taken[field] });
    expect([again.status, again.json.message]).toEqual([409, \`\${field} is already taken\`]);
    expect((await admin.patch(\`/${plural}/\${id}\`, { [field]: taken[field] })).status).toBe(409);
  });
`;
}
