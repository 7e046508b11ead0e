/**
 * Returns the remedy for an error that is caused by classes which refer to each other while their files are loaded; `undefined`
 * for any different error.
 */
export function circleRemedy(error: unknown): string | undefined {
  if (!(error instanceof ReferenceError) || !/^Cannot access '.+' before initialization$/.test(error.message))
    return undefined;
  return (
    'Two classes refer to each other while their files are loaded. Type the member by an alias in both of them, ' +
    'such as `type BookOfAuthor = Book`, and name the class in `@Type(() => Book)`.'
  );
}

// The error is thrown before the program starts, and Node prints it.
process.on('uncaughtExceptionMonitor', (error) => {
  const remedy = circleRemedy(error);
  if (remedy !== undefined) process.stderr.write(`${remedy}\n`);
});
