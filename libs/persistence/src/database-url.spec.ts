import { z } from 'zod';
import { openDatabase } from './database';
import { readDatabaseUrl, sqliteFile } from './database-url';
import { persistenceSettings } from './settings';

describe('DATABASE_URL', () => {
  const schema = z.object(persistenceSettings);

  it('is a SQLite file by default', () => {
    expect(schema.parse({})).toEqual({ DATABASE_URL: 'sqlite:./data/sluice.db' });
  });

  it.each([
    ['sqlite:./data/sluice.db', './data/sluice.db'],
    ['sqlite:/var/lib/sluice.db', '/var/lib/sluice.db'],
    ['sqlite:///var/lib/sluice.db', '/var/lib/sluice.db'],
    ['sqlite:C:\\data\\sluice.db', 'C:\\data\\sluice.db'],
    ['postgres://me:SECRET@db.example:5433/sluice?sslmode=require', 'db.example:5433/sluice'],
    ['postgresql://me:SECRET@db.example/sluice', 'db.example/sluice'],
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
  ])('rejects "%s" without repeating it', (url) => {
    const message = 'must be sqlite:<path of a file> or postgres://user:password@host:port/database';
    const { error } = schema.safeParse({ DATABASE_URL: url });

    expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
    expect(() => openDatabase(url)).toThrow(new TypeError(`the database URL ${message}`));
  });

  it('names the SQLite file, if it is one', () => {
    expect(sqliteFile('sqlite:./data/sluice.db')).toBe('./data/sluice.db');
    expect(sqliteFile('postgres://db.example/sluice')).toBeUndefined();
    expect(readDatabaseUrl('sqlite:./data/sluice.db')?.dialect).toBe('sqlite');
  });
});
