/** The codes for faults in accepted input, with the reason why each is a fault. */
export const inputFaults = {
  'SLUICE-C101':
    'A body, query or path lacks a class at run time (an interface, an `import type`, a union, a list), so it would skip validation.',
  'SLUICE-C102': 'The class of a parameter differs from the class in `inGroups`.',
  'SLUICE-C103': 'The class of a parameter or of its part lacks rules: any value would pass.',
  'SLUICE-C104': 'The rules of the class lack a selected group.',
  'SLUICE-C105':
    'A nested list or object lacks a declared class and a rule for its content: any content would pass.',
  'SLUICE-C106': 'A part has a class, but lacks a rule that validates it.',
  'SLUICE-C107': 'The rules of a member accept any value: they require at most that it is present.',
  'SLUICE-C108':
    'A number in a query or path lacks a rule that converts it: all values in a URL are strings.',
  'SLUICE-C109':
    'A boolean in a query or path lacks a rule that converts it, or `Boolean` converts it, for which `false` is true.',
  'SLUICE-C110': 'A handler takes a single field of a body or query, which skips validation.',
  'SLUICE-C111':
    'A list in a body lacks a maximum length: a request could contain as many elements as fit in its bytes.',
  'SLUICE-C112':
    'A number in a body lacks a lower or upper bound: unstorable numbers, such as 1e300, would pass.',
  'SLUICE-C113':
    'A member is validated under a condition on other members (`@ValidateIf`): otherwise any value would pass.',
  'SLUICE-C114':
    '`@IsOptional()` lets a member of a body be null although its type excludes null: the store would refuse it.',
  'SLUICE-C115':
    'A nested object lacks a type at run time, as with a union or an alias: a list would be accepted in its place.',
  'SLUICE-C116':
    'The files of two classes import each other, and a member has no type at run time: builds by swc and webpack would not start.',
  'SLUICE-C117':
    'A member is accepted from an audience that no plugin declares, or that owns rows: no caller could send it.',
  'SLUICE-C118':
    'A member that only some callers may send is required: every request of all other callers would be refused.',
  'SLUICE-C119':
    'A member gets its class from its value, so `@Accept` within it would not be checked: every caller could send its members.',
} as const;

/** A code from {@link inputFaults}. */
export type InputFault = keyof typeof inputFaults;
