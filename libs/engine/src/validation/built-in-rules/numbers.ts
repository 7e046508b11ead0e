import { code } from '../../shapes/code/code';
import {
  ABOVE,
  AT_LEAST,
  AT_MOST,
  BELOW,
  type ByName,
  compares,
  type Measure,
  type RuleFacts,
  type RuleTest,
} from './rule';

const number: Measure = {
  of: (value) => (typeof value === 'number' ? value : undefined),
  emit: (value) => [code`typeof ${value} === 'number'`, value],
};

export const numberTests: ByName<RuleTest> = {
  Min: compares(number, AT_LEAST),
  Max: compares(number, AT_MOST),
  IsPositive: compares(number, ABOVE, 0),
  IsNegative: compares(number, BELOW, 0),
};

export const numberFacts: ByName<RuleFacts> = {
  Min: {
    arguments: ['min'],
    takes: 'number',
    bounds: ['lower'],
    keywords: (least: number) => ({ type: 'number', minimum: least }),
  },
  Max: {
    arguments: ['max'],
    takes: 'number',
    bounds: ['upper'],
    keywords: (most: number) => ({ type: 'number', maximum: most }),
  },
  IsPositive: {
    takes: 'number',
    bounds: ['lower'],
    keywords: () => ({ type: 'number', exclusiveMinimum: 0 }),
  },
  IsNegative: {
    takes: 'number',
    bounds: ['upper'],
    keywords: () => ({ type: 'number', exclusiveMaximum: 0 }),
  },
  IsDivisibleBy: { arguments: ['divisor'], takes: 'number' },
};
