import { internalNames } from '../../tools/pack/engine/internal-names.mts';

const own = `
class Planner {
  makeOwnPlan({ isOwnRule, groups }) {
    return this.makeOwnPlan({ isOwnRule, ownTests: groups.length });
  }
}
const generated = code\`\${value}.ownGenerated(run)\`;
planner.ownGenerated = Reflect.get(planner, 'ownByName');
planner.ownByName = planner['ownQuoted'];
const { ownDeclared, isOwnRule } = planner;
`;

describe('short names in the package of the engine', () => {
  it('are given to members that only the package reads, the most frequent first', async () => {
    const names = await internalNames([own], ['export declare class Planner { ownDeclared: string }']);
    expect(Object.keys(names)).toEqual(['isOwnRule', 'makeOwnPlan', 'ownTests']);
    expect(new Set(Object.values(names)).size).toBe(3);
    for (const short of Object.values(names)) expect(short).toMatch(/^[$_]\w$/);
  });

  it('are given to no member of the language, Node, the libraries, NestJS, its adapters or the commands', async () => {
    const members = [
      'getPrototypeOf',
      'emitWarning',
      'getTargetValidatorConstraints',
      'isHash',
      'applyCustomTransformations',
      'createHandleResponseFn',
      'routeOptions',
      'headersSent',
      'reportClasses',
    ];
    const text = members.map((name) => `one.${name}();`).join('\n');
    expect(await internalNames([text], [])).toEqual({});
  });
});
