#!/usr/bin/env node
// The one file that any Node.js has to be able to run: it finds one that can run the rest.
import { chmodSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const current = major > 22 || (major === 22 && minor >= 18);

if (current) {
  // Stripping types takes most of the time of a short command. What it gave is kept beside the sources.
  const compiled = folderForCompiled();
  if (compiled) module.enableCompileCache(compiled);
  // No await at the top: the package is made of CommonJS modules.
  void import('./main.ts').then(({ start }) => start(process));
} else {
  const node = join(root, 'scripts/runtime/node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (existsSync(node)) {
    // Few start here, and to load this takes longer than all else in this file.
    void import('node:child_process').then(({ spawn }) => {
      const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
      child.on('close', (code) => {
        process.exitCode = code ?? 70;
      });
    });
  } else {
    const message = `cannot run on Node.js ${process.versions.node}: it needs 22.18 or later`;
    const hint = 'install a newer Node.js, or run "npm run setup" in a clone, which fetches one';
    process.stderr.write(`solpack: ${message}; ${hint} [usage-invalid]\n`);
    if (process.argv.includes('--json')) {
      const error = { code: 'usage-invalid', message, hint };
      process.stdout.write(`${JSON.stringify({ schemaVersion: 1, error })}\n`);
    }
    process.exitCode = 2;
  }
}

/**
 * Where compiled code is kept, which is run without a look at it: a folder of this user alone, whatever the umask, in one where
 * nobody may write who may not change the sources themselves. Undefined where there is none; another user's is left as it is.
 */
function folderForCompiled() {
  const cache = join(root, '.cache');
  const compiled = join(cache, 'compiled');
  const isOwn = (stats) => stats.uid === process.geteuid?.();
  try {
    const sources = statSync(root);
    if (!isOwn(sources)) return undefined;
    mkdirSync(cache, { recursive: true, mode: 0o755 });
    const made = mkdirSync(compiled, { recursive: true, mode: 0o700 });
    const [above, kept] = [statSync(cache), lstatSync(compiled)];
    if (!isOwn(above) || (above.mode & ~sources.mode & 0o022) !== 0) return undefined;
    // What others could write before may hold code of theirs.
    if (!isOwn(kept) || !kept.isDirectory() || (kept.mode & 0o022) !== 0) return undefined;
    if (made || (kept.mode & 0o077) !== 0) chmodSync(compiled, 0o700);
    return compiled;
  } catch {
    return undefined;
  }
}
