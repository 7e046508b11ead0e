import { code } from '../../shapes/code/code';
import { rule } from './rule';

export const numberRules = [
  rule({
    name: 'Min',
    arguments: ['min'],
    takes: 'number',
    bounds: ['lower'],
    keywords: (least: number) => ({ type: 'number', minimum: least }),
    test: ([least]) =>
      typeof least === 'number' ? (value) => typeof value === 'number' && value >= least : () => false,
    emit: (value, _, [least]) =>
      typeof least === 'number' ? code`(typeof ${value} === 'number' && ${value} >= ${least})` : undefined,
  }),
  rule({
    name: 'Max',
    arguments: ['max'],
    takes: 'number',
    bounds: ['upper'],
    keywords: (most: number) => ({ type: 'number', maximum: most }),
    test: ([most]) =>
      typeof most === 'number' ? (value) => typeof value === 'number' && value <= most : () => false,
    emit: (value, _, [most]) =>
      typeof most === 'number' ? code`(typeof ${value} === 'number' && ${value} <= ${most})` : undefined,
  }),
  rule({
    name: 'IsPositive',
    takes: 'number',
    bounds: ['lower'],
    keywords: () => ({ type: 'number', exclusiveMinimum: 0 }),
    test: () => (value) => typeof value === 'number' && value > 0,
    emit: (value) => code`(typeof ${value} === 'number' && ${value} > 0)`,
  }),
  rule({
    name: 'IsNegative',
    takes: 'number',
    bounds: ['upper'],
    keywords: () => ({ type: 'number', exclusiveMaximum: 0 }),
    test: () => (value) => typeof value === 'number' && value < 0,
    emit: (value) => code`(typeof ${value} === 'number' && ${value} < 0)`,
  }),
  rule({ name: 'IsDivisibleBy', arguments: ['divisor'], takes: 'number' }),
];
