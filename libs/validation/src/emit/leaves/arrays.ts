import { code } from '@app/shapes';
import { leaf } from './rule';

export const arrayMinSize = leaf({
  name: 'ArrayMinSize',
  test: ([least]) =>
    typeof least === 'number' ? (value) => Array.isArray(value) && value.length >= least : undefined,
  emit: (value, _, [least]) => code`(Array.isArray(${value}) && ${value}.length >= ${least})`,
});

export const arrayMaxSize = leaf({
  name: 'ArrayMaxSize',
  test: ([most]) =>
    typeof most === 'number' ? (value) => Array.isArray(value) && value.length <= most : undefined,
  emit: (value, _, [most]) => code`(Array.isArray(${value}) && ${value}.length <= ${most})`,
});

export const arrayNotEmpty = leaf({
  name: 'ArrayNotEmpty',
  test: () => (value) => Array.isArray(value) && value.length > 0,
  emit: (value) => code`(Array.isArray(${value}) && ${value}.length > 0)`,
});
