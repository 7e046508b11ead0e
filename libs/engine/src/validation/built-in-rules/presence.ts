import { code } from '../../shapes/code/code';
import type { ByName, RuleFacts, RuleTest } from './rule';

export const presenceTests: ByName<RuleTest> = {
  IsDefined: {
    test: () => (value) => value !== undefined && value !== null,
    emit: (value) => code`(${value} !== undefined && ${value} !== null)`,
  },
  IsNotEmpty: {
    test: () => (value) => value !== '' && value !== null && value !== undefined,
    emit: (value) => code`(${value} !== '' && ${value} !== null && ${value} !== undefined)`,
  },
  IsEmpty: { test: () => (value) => value === '' || value === null || value === undefined },
};

export const presenceFacts: ByName<RuleFacts> = {
  IsDefined: { isOpen: true, keywords: () => ({}) },
  IsNotEmpty: { isOpen: true, keywords: () => ({ not: { enum: ['', null] } }) },
  IsEmpty: {},
};
