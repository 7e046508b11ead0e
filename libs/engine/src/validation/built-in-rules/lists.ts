import { code } from '../../shapes/code/code';
import { rule } from './rule';

export const listRules = [
  rule({
    name: 'ArrayMinSize',
    arguments: ['min'],
    takes: 'list',
    isOpen: true,
    bounds: ['lower'],
    keywords: (least: number) => ({ type: 'array', minItems: least }),
    test: ([least]) =>
      typeof least === 'number' ? (value) => Array.isArray(value) && value.length >= least : undefined,
    emit: (value, _, [least]) => code`(Array.isArray(${value}) && ${value}.length >= ${least})`,
  }),
  rule({
    name: 'ArrayMaxSize',
    arguments: ['max'],
    takes: 'list',
    isOpen: true,
    bounds: ['upper'],
    keywords: (most: number) => ({ type: 'array', maxItems: most }),
    test: ([most]) =>
      typeof most === 'number' ? (value) => Array.isArray(value) && value.length <= most : undefined,
    emit: (value, _, [most]) => code`(Array.isArray(${value}) && ${value}.length <= ${most})`,
  }),
  rule({
    name: 'ArrayNotEmpty',
    takes: 'list',
    isOpen: true,
    keywords: () => ({ type: 'array', minItems: 1 }),
    test: () => (value) => Array.isArray(value) && value.length > 0,
    emit: (value) => code`(Array.isArray(${value}) && ${value}.length > 0)`,
  }),
  rule({ name: 'ArrayUnique', takes: 'list', isOpen: true }),
  rule({ name: 'ArrayContains', arguments: ['values'], takes: 'list' }),
  rule({ name: 'ArrayNotContains', arguments: ['values'], takes: 'list', isOpen: true }),
];
