// Follows loader.cjs where the executable starts.
if (process.argv[2] === '--licenses' && process.argv.length === 3) {
  process.stdout.write(getAsset('LICENSES', 'utf8'));
} else {
  // helm and kubectl may lie beside the executable. Those of PATH come first: they are what the machine's owner chose.
  const { delimiter, dirname } = required('node:path');
  const beside = dirname(process.execPath);
  const { PATH } = process.env;
  if (!beside.includes(delimiter)) process.env.PATH = PATH ? `${PATH}${delimiter}${beside}` : beside;
  load('main.js').start(process);
}
