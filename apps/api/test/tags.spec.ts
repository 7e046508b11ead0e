import { Public } from '@app/auth';
import { Returns, Tag } from '@app/contract';
import { Controller, Delete, Get } from '@nestjs/common';
import { bootApi } from '../testing/boot-api';

@Tag('Stock')
@Controller('warehouses')
@Public()
class WarehousesController {
  @Delete()
  @Returns('nothing')
  clear(): void {}

  @Get()
  @Returns('text')
  list(): string {
    return 'none';
  }
}

describe('the groups of the API reference', () => {
  const api = bootApi({ controllers: [WarehousesController] });

  it('are named by @Tag or by the path, those of the application first, and have the text of their controllers', async () => {
    const { tags, paths } = (await api().get('/openapi.json')).json;
    const names = tags.map(({ name }: { name: string }) => name);
    // Other resources stand among those of the application.
    const expected = ['home', 'items', 'orders', 'posts', 'Stock', '.well-known', 'auth', 'users', 'health'];
    expect(names.filter((name: string) => expected.includes(name))).toEqual(expected);
    expect(tags).toContainEqual({ name: 'items', description: 'The items for sale.' });
    expect(paths['/warehouses'].get.tags).toEqual(['Stock']);
    expect(paths['/items'].get.tags).toEqual(['items']);
    expect(Object.keys(paths['/warehouses'])).toEqual(['get', 'delete']);
  });

  it('have an example of each error that a route documents', async () => {
    const { paths, components } = (await api().get('/openapi.json')).json;
    const { content } = paths['/users'].post.responses['409'];
    const [shown] = Object.values<{ $ref: string }>(content['application/json'].examples);
    expect(shown?.$ref).toBe('#/components/examples/email-conflict');
    expect(components.examples['email-conflict'].value).toEqual({
      statusCode: 409,
      message: 'Another account has this e-mail',
      error: 'Conflict',
    });
    expect(components.examples['too-many-attempts.problem'].value).toMatchObject({
      status: 429,
      code: 'too-many-attempts',
      params: { retryAfterSeconds: 1 },
    });
    expect(components.examples['invalid-input'].value).toEqual({
      statusCode: 400,
      message: ['email must be an email'],
      error: 'Bad Request',
    });
    const used = JSON.stringify(paths).match(/#\/components\/examples\/[\w.-]+/g) ?? [];
    const missing = used.filter((ref) => !(ref.replace(/^.*\//, '') in components.examples));
    expect([used.length > 100, missing]).toEqual([true, []]);
  });
});
