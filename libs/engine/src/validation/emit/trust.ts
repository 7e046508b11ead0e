import { code, NOTHING, not, when } from '../../shapes/code/code';
import { single } from '../run/guard';
import { isOrdinary } from '../run/values';
import { failedIf, giveUp, guardOf, isMapOf, prototypesOf, type Trust } from './make-context';

export const isThenable = code`typeof value.then === 'function'`;

export const trusted: Trust = {
  count: () => NOTHING,
  isOtherKind: () => isThenable,
  kind: ({ scope, tests, plan, conversion }) => {
    const { own, plain } = prototypesOf(scope);
    const convert = scope.hoist(conversion.convert, 'convert');
    const isMap = isMapOf(code`value`, scope);
    const isOrdinaryValue = code`${scope.hoist(isOrdinary)}(value, undefined)`;
    return code`
      const isOther = ${own} !== ${plain};
      ${when(code`isOther && !${isOrdinaryValue} || ${isThenable}`, [
        failedIf(tests),
        code`return ${convert}(value, ${scope.hoist(plan.type)}, undefined, ${isMap}, run);`,
      ])}`;
  },
  key: ({ scope }) => {
    const isOwn = code`${scope.hoist(Object.hasOwn)}(value, key)`;
    return code`if (isOther && !${isOwn}) continue;`;
  },
  unknown: () => NOTHING,
  member: (convert) => convert,
  single: (_, convert) => convert,
};

/** The number above which an object's unknown fields are counted individually. */
const MOST_UNKNOWN = 900;

export const guarding: Trust = {
  count: ({ scope }) => code`run.left -= 1;\n${when(code`run.left < 0`, giveUp(scope))}`,
  isOtherKind: () => code`false`,
  kind: ({ scope }) => {
    const { own, isOther } = prototypesOf(scope);
    return code`
      const prototype = ${own};
      ${when(isOther, giveUp(scope))}
      let others = 0;`;
  },
  key: () => NOTHING,
  unknown: (context) => {
    const { scope, plan, conversion } = context;
    // The compiler may have noted the class of an unknown member, whose instance is not created here.
    const type = conversion.options.enableImplicitConversion ? scope.hoist(Object) : code`undefined`;
    const isReserved = code`key === '__proto__' || key === 'prototype'`;
    const isMember = code`key in ${scope.hoist(plan.type.prototype, 'members')}`;
    const isTooMany = code`(others += 1) > ${MOST_UNKNOWN}`;
    return code`
      ${when(code`${isReserved} || ${isMember}`, giveUp(scope))}
      ${when(code`${not(code`key.isWellFormed()`)} || ${isTooMany}`, giveUp(scope))}
      ${guardOf(context)}(raw, ${type}, run);`;
  },
  member: (_, { scope }) => giveUp(scope),
  single: (value, _, context) => code`${context.scope.hoist(single)}(${value}, ${guardOf(context)}, run)`,
};
