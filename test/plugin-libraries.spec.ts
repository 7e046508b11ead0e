import { isLibraryController } from '@app/contract';
import type { Plugin } from '@app/service';
import { program as admin } from '../apps/admin/src/admin.program';
import { program as api } from '../apps/api/src/api.program';
import layout from './layout/layout.json';

/** Returns the plugin that a library exports under its name: `secondFactors()` of `second-factors`. */
async function pluginOf(lib: string): Promise<Plugin> {
  const { [lib.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]: plugin } = (await import(
    `../libs/${lib}/src/index.ts`
  )) as Record<string, () => Plugin>;
  if (plugin === undefined) throw new Error(`export the plugin of libs/${lib} under the name of the library`);
  return plugin();
}

describe.each(layout.layers.plugins)('the plugin library %s', (lib) => {
  it('has the name of its folder, and is listed by both applications', async () => {
    const { name, settings = {}, tables = [] } = await pluginOf(lib);
    expect(name).toBe(lib);
    for (const program of [api, admin]) {
      expect(Object.keys(program.declarations)).toEqual(expect.arrayContaining(Object.keys(settings)));
      const owners = program.schemas?.map(({ owner }) => owner) ?? [];
      expect(owners.includes(lib)).toBe(tables.length > 0);
    }
  });

  // The promise about callers with scopes, and the order of the API reference, go by this mark.
  it('marks its controllers as controllers of a library, by `inSection`', async () => {
    const { controllers = [] } = await pluginOf(lib);
    expect(controllers.filter((controller) => !isLibraryController(controller))).toEqual([]);
  });
});
