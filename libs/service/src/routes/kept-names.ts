/** The second remedy for classes with the same name, because a build that minifies shortens every class name to a letter. */
export const keptNames =
  'A build that minifies must keep the names of classes: `keepNames` of esbuild, `keep_classnames` and `keep_fnames` of terser and swc';
