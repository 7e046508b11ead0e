import { makeField } from '../tools/create/field/make-field.mts';
import { readNames } from '../tools/create/names.mts';
import { makeResource } from '../tools/create/resource/make-resource.mts';
import { makePlugin } from '../tools/create/plugin/make-plugin.mts';
import { makeRule } from '../tools/create/rule/make-rule.mts';
import { readFields } from '../tools/create/resource/fields.mts';
import { refuseForeign, sampleName } from '../tools/create/resource/resource.mts';
import { readTakenNames, type TakenNames } from '../tools/create/resource/taken-names.mts';
import { samplePath } from '../tools/create/resource/places.mts';

let taken: TakenNames;
beforeAll(async () => (taken = await readTakenNames('api')));

const newResource = ([name, ...fields]: readonly string[]) => makeResource({ name, fields, taken }).path;

describe('a name of an application or a library', () => {
  it.each([
    ['api', 'api is taken: see "projects" in nest-cli.json'],
    ['Back_Office', '"Back_Office" is not a valid name: lowercase words, joined by dashes'],
    [undefined, 'a name is missing: lowercase words, joined by dashes'],
  ])('is rejected: %j', (name, reason) => {
    expect(() => readNames(name, ['api'])).toThrow(reason);
  });
});

describe('a new rule', () => {
  const newRule = ([name, pattern, example]: readonly string[], app = 'api') =>
    makeRule({ app, name, pattern, example });

  it('has a spec with texts that its pattern does not accept', () => {
    const { path, draft } = newRule(['is-code', '^[a-z]/?$', 'b/']);
    expect(draft.read(`${path}.ts`)).toContain('const PATTERN = /^[a-z]\\/?$/u;');
    expect(draft.read(`${path}.spec.ts`)).toContain("it.each([undefined, null, 7, '', ' ', '-1'])");
  });

  it.each([
    [[], 'a name is missing: lowercase words'],
    [['isSku', '^a$', 'a'], '"isSku" is not a valid name'],
    [['is-sku'], "a pattern is missing, such as '^[A-Z]{3}-[0-9]{2}$', and an example"],
    [['is-sku', '['], '[ is not a pattern'],
    [['is-sku', '^a$'], '"" is not an example: ^a$ does not accept it'],
    [['is-sku', '^a$', 'b'], '"b" is not an example: ^a$ does not accept it'],
    [['is-sku', '.', '${x}'], 'an example is of letters, digits and marks'],
  ])('is rejected: %j', (order, reason) => {
    expect(() => newRule(order)).toThrow(reason);
  });

  it('needs an application', () => {
    expect(() => newRule(['is-sku', '^a$', 'a'], 'shop')).toThrow('there is no application shop');
  });
});

describe('a new plugin', () => {
  it('has its files, and its place last in the list of the program', () => {
    const { folder, draft } = makePlugin({ app: 'api', name: 'price-list' });
    expect(folder).toBe('apps/api/src/price-list');
    expect(draft.read(`${folder}/price-list.plugin.ts`)).toContain('PRICE_LIST: onOrOff()');
    expect(draft.read(`${folder}/price-list.spec.ts`)).toContain("bootApi({ env: { PRICE_LIST: 'on' } })");
    const program = draft.read('apps/api/src/api.program.ts');
    expect(program).toContain("import { priceList } from './price-list/price-list.plugin';");
    expect(program).toMatch(/home, priceList,\s*\]/);
    expect(program).toContain("scopes: ['items:read', 'items:write'] })");
  });

  it.each([
    ['api', undefined, 'a name is missing: lowercase words'],
    ['api', 'PriceList', '"PriceList" is not a valid name'],
    ['api', 'items', 'apps/api/src/items already exists'],
    ['api', 'descriptions', 'the name descriptions is taken in the program'],
    ['shop', 'price-list', 'there is no application shop'],
  ])('is rejected in %s: %j', (app, name, reason) => {
    expect(() => makePlugin({ app, name })).toThrow(reason);
  });
});

describe('a new resource', () => {
  it.each([
    [[], 'a name is missing: lowercase words'],
    [['zeppelin'], 'a resource needs at least one field, such as title:text'],
    [
      ['zeppelin', 'title'],
      '"title" is not a field: name:type, with ?, :unique or =value after it; types: text, integer, boolean, timestamp, date, decimal, json, one-of(open,done), ref:projects, list(name:text,quantity:integer)',
    ],
    [['zeppelin', 'id:integer'], 'a field cannot be called id'],
    [['zeppelin', 'class:text'], 'a field cannot be called class'],
    [['zeppelin', 'title:text', 'title:integer'], 'the field title is given twice'],
    [['zeppelin', 'due:timestamp'], 'due:timestamp: the name of a timestamp ends with At, such as dueAt'],
    [['zeppelin', 'open:boolean'], 'open:boolean: the name of a boolean starts with is, such as isOpen'],
    [['zeppelin', 'shop:ref:shops'], 'ref:shops: there is no resource shops with a table'],
    [['zeppelin', 'picture:ref:pictures'], 'apps/api/testing/samples/picture.ts is missing'],
    [['zeppelins', 'title:text'], 'zeppelins is a plural: give the singular, such as zeppelin'],
    [['equipment', 'title:text'], 'equipment has no plural: give one by --plural'],
    [['zeppelin', 'status:one-of(a,b):unique'], 'a choice cannot be unique'],
    [['item', 'title:text'], 'apps/api/src/items already exists'],
    [['date', 'title:text'], 'the class Date is taken: choose another name, such as api-date'],
    [['session', 'title:text'], 'the class Session is taken: choose another name, such as api-session'],
    [['account', 'title:text'], 'the table account is taken'],
    [['challenge', 'title:text'], 'the table challenge is taken'],
    [['attempt', 'title:text'], 'the table attempt is taken'],
    [['user', 'title:text'], 'the class UsersController is taken'],
    [['problem', 'title:text'], 'the class ProblemsController is taken'],
    [['doc', 'title:text'], 'the class DocsController is taken'],
    [['factor', 'title:text'], 'the class Factor is taken'],
    [['refresh-token', 'title:text'], 'the table refreshToken is taken'],
  ])('is rejected: %j', (args, reason) => {
    expect(() => newResource(args)).toThrow(reason);
  });

  it('has files, a migration and a path', () => {
    const { path, migration, draft } = makeResource({
      name: 'zeppelin',
      fields: ['title:text'],
      taken,
    });
    expect([path, migration]).toEqual(['/zeppelins', expect.stringMatching(/^\d{4}-zeppelins$/)]);
    expect(draft.read('apps/api/src/zeppelins/zeppelins.table.ts')).toContain(`'${migration}': {`);
  });
});

describe('a new resource of owners', () => {
  it('has unique fields for each owner, so that a 409 reveals nothing of another one', () => {
    const fields = ['title:text', 'code:text:unique'];
    const { draft } = makeResource({ name: 'zeppelin', fields, owner: 'account', taken });
    const file = (kind: string) => draft.read(`apps/api/src/zeppelins/zeppelins.${kind}.ts`);
    const constraint = 'zeppelin_account_id_code_unique';
    expect(file('table')).toContain(`.addUniqueConstraint('${constraint}', ['account_id', 'code'])`);
    expect(file('controller')).toContain(`unlessTaken('${constraint}', 'code', `);
  });

  it('has no name that PostgreSQL cuts', () => {
    const fields = [`${'long'.repeat(10)}:text:unique`];
    const make = () => makeResource({ name: 'zeppelin', fields, owner: 'account', taken });
    expect(make).toThrow(/_unique has more than 63 characters|_id has more than 63 characters/);
  });
});

describe('a new resource of organizations', () => {
  it('is below the organization, for its members', () => {
    const fields = ['title:text:unique'];
    const { path, draft } = makeResource({ name: 'zeppelin', fields, owner: 'organization', taken });
    const file = (kind: string) => draft.read(`apps/api/src/zeppelins/zeppelins.${kind}.ts`);
    expect(path).toBe('/organizations/:organizationId/zeppelins');
    expect(file('controller')).toContain(
      "@Controller('organizations/:organizationId/zeppelins')\n@teams.Member()",
    );
    expect(file('controller')).toContain("import { teams } from '../teams.plugin';");
    expect(file('table')).toContain("tenant: 'organizationId',");
    expect(file('store')).not.toMatch(/\bdb\s*\.(?:insertInto|updateTable)/);
  });

  it('refers to rows of the same organization alone', () => {
    const target = { plural: 'zeppelins', table: 'zeppelin', camel: 'zeppelin', pascal: 'Zeppelin' };
    const args = ['title:text', 'zeppelin:ref:zeppelins'];
    const fields = readFields(args, () => ({ ...target, owner: 'organization' }));
    for (const owner of [undefined, 'account'] as const)
      expect(() => refuseForeign({ fields, owner })).toThrow(
        'zeppelinId: zeppelins belong to an organization',
      );
    expect(() => refuseForeign({ fields, owner: 'organization' })).not.toThrow();
  });
});

describe('the text of a new resource', () => {
  it.each([
    ['Task', 'aTask'],
    ['Invoice', 'anInvoice'],
    ['User', 'aUser'],
    ['Umbrella', 'anUmbrella'],
    ['Event', 'anEvent'],
    ['Hour', 'anHour'],
    ['OneTimeCode', 'aOneTimeCode'],
    ['UnitPrice', 'aUnitPrice'],
    ['EuroAmount', 'aEuroAmount'],
  ])('has the article of %s', (pascal, name) => {
    expect(sampleName({ pascal })).toBe(name);
  });

  it('says why it has no order by a decimal', () => {
    const { note, draft } = makeResource({
      name: 'airship',
      fields: ['title:text', 'total:decimal'],
      taken,
    });
    expect(note).toMatch(
      /^the list is neither sorted nor filtered by total: decimals are stored as exact texts/,
    );
    expect(draft.read(samplePath({ app: 'api', kebab: 'airship' }))).toContain(
      'export async function anAirship(',
    );
    expect(draft.read('apps/api/src/airships/airships.dto.ts')).toContain("@Sortable(Airship, 'title')");
  });
});

describe('a field of a resource', () => {
  it.each([
    [['rank:integer'], ['rank=one'], '=one is not a default of integer'],
    [['rank:integer'], ['rank'], '--default rank is not a default: name=value, such as priority=0'],
    [['rank:integer'], ['rung=1'], '--default rung: no field of this name is added'],
    [['rank:integer?'], ['rank=1'], '--default rank=1: rank:integer? needs none, because it is not required'],
    [['code:text:unique'], ['code=a'], 'code:text:unique is required, and rows that are there already'],
  ])('has no such default: %j %j', (args, defaults, reason) => {
    expect(() => makeField('posts', args, defaults)).toThrow(reason);
  });

  it.each([
    [undefined, [], 'the path of a resource is missing, such as tasks'],
    ['boats', ['name:text?'], 'there is no resource boats: it needs a table, and apps/api/src/boats/'],
    ['items', [], 'a field is missing, such as dueOn:date?'],
    ['posts', ['slug:text?'], 'posts have slug already'],
    [
      'items',
      ['rank:integer'],
      'rank:integer is required, and rows that are there already would have no value: give those rows one by --default rank=0, those rows and bodies that lack it by rank:integer=0, or make it optional, rank:integer?',
    ],
  ])('is rejected: %s %j', (path, args, reason) => {
    expect(() => makeField(path, args)).toThrow(reason);
  });
});
