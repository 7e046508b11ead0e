import { code } from '../../shapes/code/code';
import { rule } from './rule';

export const presenceRules = [
  rule({
    name: 'IsDefined',
    isOpen: true,
    keywords: () => ({}),
    test: () => (value) => value !== undefined && value !== null,
    emit: (value) => code`(${value} !== undefined && ${value} !== null)`,
  }),
  rule({
    name: 'IsNotEmpty',
    isOpen: true,
    keywords: () => ({ not: { enum: ['', null] } }),
    test: () => (value) => value !== '' && value !== null && value !== undefined,
    emit: (value) => code`(${value} !== '' && ${value} !== null && ${value} !== undefined)`,
  }),
  rule({
    name: 'IsEmpty',
    test: () => (value) => value === '' || value === null || value === undefined,
  }),
];
