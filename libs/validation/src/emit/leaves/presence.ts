import { code } from '@app/shapes';
import { leaf } from './rule';

export const isDefined = leaf({
  name: 'IsDefined',
  test: () => (value) => value !== undefined && value !== null,
  emit: (value) => code`(${value} !== undefined && ${value} !== null)`,
});

export const isNotEmpty = leaf({
  name: 'IsNotEmpty',
  test: () => (value) => value !== '' && value !== null && value !== undefined,
  emit: (value) => code`(${value} !== '' && ${value} !== null && ${value} !== undefined)`,
});

export const isEmpty = leaf({
  name: 'IsEmpty',
  test: () => (value) => value === '' || value === null || value === undefined,
});
