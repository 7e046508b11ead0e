import { randomBytes } from 'node:crypto';
import { createProgram, readSettings } from '@app/service';
import { temporaryDatabase } from '@app/persistence/testing';
import { program } from '../apps/api/src/api.program';
import { fill } from '../scripts/seed/fill.mts';
import { seedAdministrator, seedItems, seedUsers } from '../scripts/seed/sample.mts';

describe('the sample for development', () => {
  it('is added by the routes of api, once', async () => {
    const database = await temporaryDatabase();
    const { email: ADMIN_EMAIL, password: ADMIN_PASSWORD } = seedAdministrator;
    const env = {
      DATABASE_URL: database.url,
      JWT_SECRET: randomBytes(32).toString('base64url'),
      ADMIN_EMAIL,
      ADMIN_PASSWORD,
      LOG_LEVEL: 'silent',
      MAX_DELAY: 'off',
    };
    const settings = readSettings(program.declarations, env);
    const parts = { name: program.name, schemas: program.schemas, tables: program.tables };
    const app = await createProgram({ ...parts, module: program.module(settings), settings });

    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();

    const lines = await fill(url);
    expect(lines[0]).toBe(
      `added ${seedItems.length} items and ${seedUsers.length} users with their posts and orders`,
    );
    await expect(fill(url)).rejects.toThrow('the database has items already: nothing was added');

    await app.close();
    await database.remove();
  });
});
