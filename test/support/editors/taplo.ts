import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { relative } from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Lets Taplo judge files in TOML below a folder, by the schema that each asks for. Returns what it says of those that
 * it refuses, by path. It knows no catalogue of schemas, and so asks no network.
 */
export function judgedByTaplo(folder: string, pattern = '**/*.toml'): ReadonlyMap<string, readonly string[]> {
  const program = require.resolve('@taplo/cli/dist/cli.js');
  const args = [program, 'lint', '--no-auto-config', '--colors', 'never', pattern];
  const { stderr, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  const found = new Map<string, Set<string>>();
  const add = (path: string, message: string): void => {
    const name = relative(folder, path);
    found.set(name, (found.get(name) ?? new Set()).add(message));
  };
  for (const [, message, path] of stderr.matchAll(/^error: (.*)\n +┌─ (.*?):\d+:\d+$/gm)) add(path!, message!);
  for (const [, message, path] of stderr.matchAll(/ERROR .* invalid file error=(.*) path="(.*)"$/gm))
    add(path!, message!);
  if (!/found files total=[1-9]/.test(stderr) || (status === 0) !== (found.size === 0)) throw new Error(stderr);
  return new Map([...found].map(([path, messages]) => [path, [...messages]]));
}
