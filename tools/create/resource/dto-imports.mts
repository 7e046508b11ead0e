/** The names that wire classes import, by module. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  '@app/contract': [
    'ById',
    'IfGiven',
    'IsCalendarDate',
    'IsJsonObject',
    'IsMoment',
    'NoLongerThan',
    'NoMoreThan',
    'RowId',
    'Schema',
    'TrueOrFalse',
  ],
  '@app/paging': ['Filterable', 'PaginationQuery', 'Sortable'],
  'class-transformer': ['Exclude', 'Expose', 'Type'],
  'class-validator': [
    'IsArray',
    'IsBoolean',
    'IsIn',
    'IsInt',
    'IsOptional',
    'Matches',
    'Max',
    'Min',
    'MinLength',
    'ValidateNested',
  ],
};

/** The names that a text uses as decorators or extends, by the module that has them. */
export function importsOf(
  text: string,
): readonly { readonly module: string; readonly names: readonly string[] }[] {
  const isUsed = (name: string) => text.includes(`@${name}(`) || text.includes(`extends ${name} `);
  return Object.entries(MODULES)
    .map(([module, names]) => ({ module, names: names.filter(isUsed) }))
    .filter(({ names }) => names.length > 0);
}
