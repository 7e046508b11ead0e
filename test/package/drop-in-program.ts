/** Compares the package functions with the library functions for classes, options and values. Prints each difference. */
const comparison = `
const values = [
  { email: 'ann@example.org', address: { street: 'Main street', zip: '12345' }, items: [{ sku: 'a', quantity: '7' }] },
  { email: 'ann', address: { zip: 'x' }, items: [{ sku: '', quantity: 0, size: 'huge' }], note: ' n ', isGift: true },
  { email: 7, address: [], items: 'none', dueAt: 'tomorrow', more: { deep: [1] } },
  { sku: 'a', quantity: 1, code: 'known', limit: '9', tags: ['a', 1] },
  { id: 1, email: 'a@b.de', items: [{ sku: 'a', quantity: 2 }], card: '4111', note: 'n', createdAt: new Date(0) },
  {}, [], [{ sku: 'a' }, null], null, undefined, 'text', 7,
];
const classes = [dto.Address, dto.Item, dto.CreateOrder, dto.CreateCode, dto.ListOrders, dto.OrderView];
const functions = {
  plainToInstance: (from, type, value) => from.transformer.plainToInstance(type, value),
  implicitly: (from, type, value) => from.transformer.plainToInstance(type, value, { enableImplicitConversion: true }),
  instanceToPlain: (from, type, value) => from.transformer.instanceToPlain(made(type, value), { groups: ['staff'] }),
  serialize: (from, type, value) => from.transformer.serialize(made(type, value)),
  deserialize: (from, type, value) => from.transformer.deserialize(type, JSON.stringify(value) ?? 'null'),
  validateSync: (from, type, value) => from.validator.validateSync(made(type, value), { whitelist: true }),
  validate: (from, type, value) => from.validator.validate(made(type, value)),
  validateOrReject: (from, type, value) => from.validator.validateOrReject(made(type, value)),
};
const made = (type, value) => transformer.plainToInstance(type, value);
const isOwn = { transformer: engine, validator: engine };
const isLibrary = { transformer, validator };
const show = (value) => inspect(value, { depth: 20, showHidden: true });
async function outcome(ask, from, type, value) {
  try {
    return show(await ask(from, type, structuredClone(value)));
  } catch (error) {
    return 'thrown: ' + (error instanceof Error ? error.message : show(error));
  }
}
async function compare() {
  const unequal = [];
  let compared = 0;
  for (const [name, ask] of Object.entries(functions))
    for (const type of classes)
      for (const value of values) {
        const [own, expected] = [await outcome(ask, isOwn, type, value), await outcome(ask, isLibrary, type, value)];
        if (own !== expected) unequal.push({ name, type: type.name, value, own, expected });
        compared++;
      }
  const { input, output } = engine.explain(dto.OrderView);
  console.log(JSON.stringify({ input: input.how, output: output.mode, compared, unequal }));
}
void compare();
`;

/** The program in both formats, which runs beside the stock program's classes. */
export const dropInProgram = {
  cjs: `require('reflect-metadata');
const engine = require('@sluice/engine');
const transformer = require('class-transformer');
const validator = require('class-validator');
const { inspect } = require('node:util');
const dto = require('./orders.dto.js');
${comparison}`,
  esm: `import 'reflect-metadata';
import * as engine from '@sluice/engine';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { inspect } from 'node:util';
import * as dto from './orders.dto.js';
${comparison}`,
} as const;
