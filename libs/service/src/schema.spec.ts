import { schemaBehaves } from '@app/persistence/testing';
import { librarySchemas, schemasOf } from './schema';

const [service, ...others] = librarySchemas.toReversed();
schemaBehaves(service, others.toReversed());

describe('the tables of a program', () => {
  it('have another name than those of a library', () => {
    expect(() => schemasOf({ name: 'mail', tables: [] })).toThrow(
      'an application cannot be called mail: a library has tables under this name',
    );
  });
});
