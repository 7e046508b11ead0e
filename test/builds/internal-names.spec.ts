import { internalNames } from '../../scripts/engine/internal-names.mts';

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

  it.each([
    ['the language', 'getPrototypeOf'],
    ['Node', 'emitWarning'],
    ['class-validator', 'getTargetValidatorConstraints'],
    ['class-validator 0.13', 'isHash'],
    ['class-transformer', 'applyCustomTransformations'],
    ['NestJS', 'createHandleResponseFn'],
    ['Fastify', 'routeOptions'],
    ['Express', 'headersSent'],
    ['the commands of the package', 'reportClasses'],
  ])('are not given to the members of %s', async (_whose, name) => {
    expect(await internalNames([`one.${name}()`], [])).toEqual({});
  });
});
