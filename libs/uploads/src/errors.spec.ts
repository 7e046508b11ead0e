import * as catalogue from './errors';

it('the plugin declares every error of uploads', () => {
  const { uploadErrors, ...classes } = catalogue;
  expect(new Set<unknown>(uploadErrors)).toEqual(new Set<unknown>(Object.values(classes)));
});
