import { code } from '@app/shapes';
import { leaf } from './rule';

export const min = leaf({
  name: 'Min',
  test: ([least]) =>
    typeof least === 'number' ? (value) => typeof value === 'number' && value >= least : () => false,
  emit: (value, _, [least]) =>
    typeof least === 'number' ? code`(typeof ${value} === 'number' && ${value} >= ${least})` : undefined,
});

export const max = leaf({
  name: 'Max',
  test: ([most]) =>
    typeof most === 'number' ? (value) => typeof value === 'number' && value <= most : () => false,
  emit: (value, _, [most]) =>
    typeof most === 'number' ? code`(typeof ${value} === 'number' && ${value} <= ${most})` : undefined,
});

export const isPositive = leaf({
  name: 'IsPositive',
  test: () => (value) => typeof value === 'number' && value > 0,
  emit: (value) => code`(typeof ${value} === 'number' && ${value} > 0)`,
});

export const isNegative = leaf({
  name: 'IsNegative',
  test: () => (value) => typeof value === 'number' && value < 0,
  emit: (value) => code`(typeof ${value} === 'number' && ${value} < 0)`,
});
