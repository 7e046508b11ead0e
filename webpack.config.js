// Source maps, with paths that name the file as it lies in the repository: stacks in production logs point at the code.
module.exports = (options) => ({
  ...options,
  devtool: 'source-map',
  output: { ...options.output, devtoolModuleFilenameTemplate: '[absolute-resource-path]' },
});
