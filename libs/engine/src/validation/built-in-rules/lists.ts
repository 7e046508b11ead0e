import { code } from '../../shapes/code/code';
import {
  ABOVE,
  AT_LEAST,
  AT_MOST,
  type ByName,
  compares,
  type Measure,
  type RuleFacts,
  type RuleTest,
} from './rule';

const size: Measure = {
  of: (value) => (Array.isArray(value) ? value.length : undefined),
  emit: (value) => [code`Array.isArray(${value})`, code`${value}.length`],
};

export const listTests: ByName<RuleTest> = {
  ArrayMinSize: compares(size, AT_LEAST),
  ArrayMaxSize: compares(size, AT_MOST),
  ArrayNotEmpty: compares(size, ABOVE, 0),
};

export const listFacts: ByName<RuleFacts> = {
  ArrayMinSize: {
    arguments: ['min'],
    takes: 'list',
    isOpen: true,
    bounds: ['lower'],
    keywords: (least: number) => ({ type: 'array', minItems: least }),
  },
  ArrayMaxSize: {
    arguments: ['max'],
    takes: 'list',
    isOpen: true,
    bounds: ['upper'],
    keywords: (most: number) => ({ type: 'array', maxItems: most }),
  },
  ArrayNotEmpty: { takes: 'list', isOpen: true, keywords: () => ({ type: 'array', minItems: 1 }) },
  ArrayUnique: { takes: 'list', isOpen: true },
  ArrayContains: { arguments: ['values'], takes: 'list' },
  ArrayNotContains: { arguments: ['values'], takes: 'list', isOpen: true },
};
