#!/usr/bin/env node
// The one file that any Node.js has to be able to run: it finds one that can run the rest.
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const current = major > 22 || (major === 22 && minor >= 18);

if (current) {
  // Stripping types takes most of the time of a short command. What it gave is kept beside the sources, where nobody
  // may write who may not change the sources themselves; another user's folder is left as it is.
  if (statSync(root).uid === process.getuid?.()) module.enableCompileCache(join(root, '.cache/compiled'));
  // No await at the top: the package is made of CommonJS modules.
  void import('./main.ts').then(({ start }) => start(process));
} else {
  const node = join(root, 'scripts/runtime/node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(node)) {
    const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('close', (code) => {
      process.exitCode = code ?? 70;
    });
  } else {
    process.stderr.write(
      `solpack: cannot run on Node.js ${process.versions.node}: it needs 22.18 or later; ` +
        'install a newer Node.js, or run "npm run setup" in a clone, which fetches one [usage-invalid]\n',
    );
    process.exitCode = 2;
  }
}
