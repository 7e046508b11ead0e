import { z } from 'zod';
import { openDatabase } from '../database/database';
import { readDatabaseUrl, sqliteFile } from './database-url';
import { defaultConnecting } from './connecting';
import { connectingBy, persistenceSettings } from '../settings';

describe('DATABASE_URL', () => {
  const schema = z.object(persistenceSettings);

  it('is a SQLite file by default', () => {
    expect(schema.parse({}).DATABASE_URL).toBe('sqlite:./data/sluice.db');
  });

  it('comes with settings of the connections', () => {
    expect(connectingBy(schema.parse({}))).toEqual(defaultConnecting);
    const urls = {
      DATABASE_POOLER: 'transaction',
      DATABASE_DIRECT_URL: 'postgres://db.example/sluice',
      DATABASE_POOL_SIZE: '3',
      DATABASE_IDS: 'time',
    };
    expect(connectingBy(schema.parse(urls))).toEqual({
      isPooled: true,
      directUrl: 'postgres://db.example/sluice',
      poolSize: 3,
      ids: 'time',
      timeouts: { waitMs: 5000, statementMs: 10_000 },
    });
  });

  it.each([
    ['DATABASE_POOL_SIZE', '0', 'must be a whole number from 1 to 1000'],
    ['DATABASE_POOL_SIZE', '1.5', 'must be a whole number from 1 to 1000'],
    ['DATABASE_POOLER', 'session', 'must be off or transaction'],
  ])('rejects %s=%s', (name, text, message) => {
    const { error } = schema.safeParse({ [name]: text });
    expect(error?.issues.map((issue) => issue.message)).toContain(message);
  });

  it.each([
    ['sqlite:./data/sluice.db', './data/sluice.db'],
    ['sqlite:/var/lib/sluice.db', '/var/lib/sluice.db'],
    ['sqlite:///var/lib/sluice.db', '/var/lib/sluice.db'],
    ['sqlite:C:\\data\\sluice.db', 'C:\\data\\sluice.db'],
    ['postgres://me:SECRET@db.example:5433/sluice?sslmode=require', 'db.example:5433/sluice'],
    ['postgresql://me:SECRET@db.example/sluice', 'db.example/sluice'],
    ['postgres:///sluice?host=/run/postgresql&user=me', '/sluice'],
    [
      'postgres://me:SECRET@a:5433,b,[::1]:5434/sluice?target_session_attrs=primary',
      'a:5433,b,[::1]:5434/sluice',
    ],
  ])('accepts %s, displayed as %s', async (url, place) => {
    expect(schema.parse({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
    const db = openDatabase(url);
    expect(db.place).toBe(place);
    await db.destroy();
  });

  it.each([
    '',
    'sqlite:',
    'sqlite::memory:',
    'sqlite://host/x.db',
    'sqlite:data/',
    'data.db',
    'mysql://me:SECRET@db/x',
    'postgres:me:SECRET@db/x',
    'postgres://me:SECRET@db.example',
    'postgres://me:SE%CRET@:port/x',
    'postgres://me:SECRET@a:1,b:port/x',
    'postgres://me:SECRET@a,b',
    'sqlite:./x.db?mode=ro',
  ])('rejects "%s" without repeating it', (url) => {
    const message = 'must be sqlite:<path of a file> or postgres://user:password@host:port/database';
    const { error } = schema.safeParse({ DATABASE_URL: url });

    expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
    expect(() => openDatabase(url)).toThrow(new TypeError(`the database URL ${message}`));
  });

  it.each([
    ['sslmod=require', 'has the parameter sslmod, which does not exist: write sslmode'],
    ['SSLMODE=require', 'has the parameter SSLMODE, which does not exist: write sslmode'],
    ['sslmode=requir', 'has an invalid sslmode'],
    ['target_session_attrs=sometimes', 'has an invalid target_session_attrs'],
    ['sslmode=require&schema=public', /^has the parameter schema, which does not exist: there are sslmode, /],
  ])('rejects the parameter %s, which `pg` would ignore', (query, message) => {
    const { error } = schema.safeParse({ DATABASE_URL: `postgres://me:SECRET@a/x?${query}` });
    expect(error?.issues[0]?.message).toMatch(message);
    expect(error?.issues[0]?.message).not.toContain('SECRET');
  });

  it('names the SQLite file, if it is one', () => {
    expect(sqliteFile('sqlite:./data/sluice.db')).toBe('./data/sluice.db');
    expect(sqliteFile('postgres://db.example/sluice')).toBeUndefined();
    expect(readDatabaseUrl('sqlite:./data/sluice.db')?.dialect).toBe('sqlite');
  });
});
