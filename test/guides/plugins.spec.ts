import { describeRoutes, settingsPage } from '@app/service';
import { bootProgram } from '@app/service/testing';
import { program } from '../../docs/guides/plugins.md';

describe('docs/guides/plugins.md', () => {
  const shop = bootProgram({ ...program, env: { MAINTENANCE: 'on' } });

  it('adds a setting, a route and a hook', async () => {
    const { json, headers } = await shop().get('/maintenance');
    expect([json, headers.get('x-maintenance')]).toEqual([{ isClosed: true }, 'on']);
    expect(settingsPage(program.declarations)).toContain('Whether the program is closed.');
    expect(describeRoutes(shop.app()).map(({ path }) => path)).toContain('/maintenance');
  });
});
