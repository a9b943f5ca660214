// Follows loader.cjs where the executable starts.
if (process.argv[2] === '--licenses' && process.argv.length === 3) {
  process.stdout.write(getAsset('LICENSES', 'utf8'));
} else {
  load('main.js').start(process);
}
