/** The codes for faults in accepted input, with the reason why each is a fault. */
export const inputFaults = {
  'SLUICE-C101':
    'A body, query or path has no class at run time (an interface, an `import type`, a union, a list): it would not be validated.',
  'SLUICE-C102':
    'A parameter has one class, and `inGroups` has another: the rules of one, and the type of the other.',
  'SLUICE-C103': 'The class of a parameter, or of a part of it, has no rules: any value would pass.',
  'SLUICE-C104': 'A selected group is in no rule of the class: its rules would not run.',
  'SLUICE-C105':
    'A nested list or object has neither a declared class nor a rule for its content: any content would pass.',
  'SLUICE-C106': 'A part has a class, but no rule that validates it.',
  'SLUICE-C107': 'The rules of a member accept any value: they require at most that it is present.',
  'SLUICE-C108':
    'A number of a query or a path has no rule that converts it: all values of a URL are strings.',
  'SLUICE-C109':
    'A boolean of a query or a path has no rule that converts it, or is converted by `Boolean`, for which `false` is true.',
  'SLUICE-C110': 'A handler takes a single field of a body or a query, which is not validated.',
  'SLUICE-C111':
    'A list of a body has no maximum length: a request could contain as many elements as fit in its bytes.',
  'SLUICE-C112':
    'A number of a body has no lower or no upper bound: one that no store can store, such as 1e300, would pass.',
  'SLUICE-C113':
    'A member is validated under a condition on other members (`@ValidateIf`): otherwise any value would pass.',
  'SLUICE-C114':
    'A member of a body may be null, as `@IsOptional()` skips it, and its type has no null: the store would refuse it.',
  'SLUICE-C115':
    'A nested object has no type at run time, as of a union, or of classes whose files import each other: a list would be accepted in its place.',
} as const;

/** A code from {@link inputFaults}. */
export type InputFault = keyof typeof inputFaults;
