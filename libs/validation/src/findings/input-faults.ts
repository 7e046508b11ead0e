/** The codes of what can be wrong with what a route takes in, and why each is no matter of taste. */
export const inputFaults = {
  'SLUICE-C101':
    'A body, query or path has no class that can be seen at run time (an interface, an `import type`, a union, a list): no rule would ever be run on it.',
  'SLUICE-C102':
    'A parameter is of one class, and `inGroups` names another: the rules of one, the type of the other.',
  'SLUICE-C103': 'The class of a parameter, or of a part of it, declares no rule: anything would pass.',
  'SLUICE-C104': 'A group is named that no rule of the class knows: its rules would not be run.',
  'SLUICE-C105':
    'A list or an object within has no declared class and no rule for what it holds: anything could stand there.',
  'SLUICE-C106': 'A part has a class, but nothing asks for its rules to be run.',
  'SLUICE-C107': 'The rules of a member let any value pass: they ask at most that there is one.',
  'SLUICE-C108':
    'A number of a query or a path has no rule that makes it one: all that comes by a URL is text.',
  'SLUICE-C109':
    'A boolean of a query or a path has no rule that reads it, or is read by `Boolean`, to which `false` is true.',
  'SLUICE-C110': 'A handler takes one field of a body or a query as it was sent: nothing looks at it.',
  'SLUICE-C111':
    'A list of a body has no bound: one request could hold as many elements as it has bytes for.',
  'SLUICE-C112':
    'A number of a body has no lower or no upper bound: one that no store can hold, such as 1e300, would pass.',
} as const;

/** One of {@link inputFaults}. */
export type InputFault = keyof typeof inputFaults;
