import { code } from '../../shapes/code/code';
import { fallBack, single } from '../run/guard';
import { isOrdinary } from '../run/values';
import { FAILED, guardOf, type Trust } from './make-context';

export const trusted: Trust = {
  count: () => code``,
  otherKind: code` || typeof value.then === 'function'`,
  kind: ({ scope, tests, plan, conversion }) => {
    const whole = code`${scope.hoist(conversion.convert, 'convert')}(value, ${scope.hoist(plan.type)}, undefined, value instanceof ${scope.hoist(Map, 'Map')}, run)`;
    const isOther = code`${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value) !== ${scope.hoist(Object.prototype, 'plain')}`;
    return code`  const isOther = ${isOther};
  if (isOther && !${scope.hoist(isOrdinary, 'isOrdinary')}(value, undefined) || typeof value.then === 'function') {
    const made = ${whole};
${tests ? code`    ${FAILED}\n` : code``}    return made;
  }\n`;
  },
  key: ({ scope }) =>
    code`    if (isOther && !${scope.hoist(Object.hasOwn, 'hasOwn')}(value, key)) continue;\n`,
  unknown: () => code``,
  member: (convert) => convert,
  single: (_, convert) => convert,
};

/** Above this number, the unknown fields of an object are counted individually. */
const MOST_UNKNOWN = 900;

export const guarding: Trust = {
  count: ({ scope }) => code`  run.left -= 1;\n  if (run.left < 0) ${scope.hoist(fallBack, 'fallBack')}();\n`,
  otherKind: code``,
  kind: ({ scope }) => code`  const prototype = ${scope.hoist(Object.getPrototypeOf, 'prototypeOf')}(value);
  if (prototype !== ${scope.hoist(Object.prototype, 'plain')} && prototype !== null) ${scope.hoist(fallBack, 'fallBack')}();
  let others = 0;\n`,
  key: () => code``,
  unknown: (context) => {
    const { scope, plan } = context;
    const give = code`${scope.hoist(fallBack, 'fallBack')}();`;
    return code`        if (key === '__proto__' || key === 'prototype' || key in ${scope.hoist(plan.type.prototype, 'members')}) ${give}
        if (!key.isWellFormed() || (others += 1) > ${MOST_UNKNOWN}) ${give}
        ${guardOf(context)}(raw, undefined, run);\n`;
  },
  member: (_, { scope }) => code`        ${scope.hoist(fallBack, 'fallBack')}();`,
  single: (value, _, context) => code`${context.scope.hoist(single)}(${value}, ${guardOf(context)}, run)`,
};
