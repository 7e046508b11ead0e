import { type Finding, readTransforms, wireName } from '@app/engine';
import { inputSchema, type InputType } from '../input/input-schema';
import type { InputFault } from './input-faults';
import { choosesByValue, inputClasses } from './input-parts';
import { isInputClass } from './route-parameter';
import { hasRestrictions, restrictedMembers } from '../audiences/accept';
import { audienceNamed, isOwnerAudience } from '../audiences/audience';
import { unknownAudience } from '../audiences/audience-findings';

/** Returns the findings about an input class's members that only some callers may send. */
export function acceptFindings(type: InputType, groups: readonly string[]): Finding[] {
  const parts = inputClasses(type).filter(isInputClass);
  const restricted = parts.flatMap((part) =>
    [...restrictedMembers(part)].flatMap(([member, from]) =>
      from
        .flatMap((name) => audienceFinding(part, member, name))
        .concat(requiredFinding(part, member, groups)),
    ),
  );
  return hasRestrictions() ? [...restricted, ...parts.flatMap(unknownClasses)] : restricted;
}

/** Returns the findings about members whose classes are known only with a value. */
function unknownClasses(type: Function): Finding[] {
  const members = [...readTransforms(type).typeOf.keys()].filter((member) => choosesByValue(type, member));
  const code: InputFault = 'SLUICE-C119';
  return members.map((member) => ({
    code,
    problem: `${type.name}.${member} gets its class from its value, and the program uses @Accept`,
    remedy: 'Name the classes in a `discriminator` of @Type',
    place: { type, member },
  }));
}

function audienceFinding(type: Function, member: string, name: string): Finding[] {
  const audience = audienceNamed(name);
  const code: InputFault = 'SLUICE-C117';
  if (audience === undefined) return [unknownAudience(code, name, type, member)];
  if (!isOwnerAudience(audience)) return [];
  const problem = `${type.name}.${member} is accepted from '${name}', which owns rows, and a request has no row`;
  return [
    {
      code,
      problem,
      remedy: 'Use an audience such as a role, and compare the row in the handler',
      place: { type, member },
    },
  ];
}

function requiredFinding(type: InputType, member: string, groups: readonly string[]): Finding[] {
  const { required = [] } = inputSchema(type, groups, () => ({}));
  if (!required.includes(wireName(readTransforms(type), member))) return [];
  const code: InputFault = 'SLUICE-C118';
  return [
    {
      code,
      problem: `${type.name}.${member} is required, and only some callers may send it`,
      remedy: 'Put @IfGiven() on it',
      place: { type, member },
    },
  ];
}
