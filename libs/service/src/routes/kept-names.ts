/** The second remedy where two classes have one name: a build that minifies gives all of them one-letter names. */
export const keptNames =
  'A build that minifies must keep the names of classes: `keepNames` of esbuild, `keep_classnames` and `keep_fnames` of terser and swc';
