import { theProgramKeepsItsPromises } from '@app/service/testing';
import { program } from '../src/api.program';

theProgramKeepsItsPromises(program, {
  seed: async (administrator) => {
    for (const name of ['one', 'two', 'three']) {
      await administrator.post('/items', { sku: name, name, price: name.length });
      await administrator.post('/posts', { slug: name });
    }
  },
});
