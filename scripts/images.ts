import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, replaceFolder, root, words } from './home.ts';
import { baseLayers, ingredients, type Version, versions, writeImages } from './images/guestbook.ts';

// Builds the images of the example Solution beside its definition, unless they are up to date.

const quiet = process.argv.includes('--quiet');
const stamp = join(cache, 'fixtures.sha256');

try {
  await main();
} catch (error) {
  console.error(`fixtures: ${words(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const wanted = recipeDigest();
  const folders = (Object.keys(versions) as Version[]).map((version) => ({
    version,
    folder: join(root, 'fixtures/guestbook', version, 'images'),
  }));
  const present = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (present && folders.every(({ folder }) => existsSync(folder))) {
    if (!quiet) console.log('fixtures: the images of fixtures/guestbook are built');
    return;
  }
  const base = await baseLayers();
  for (const { version, folder } of folders) {
    await replaceFolder(folder, async (fresh) => writeImages(fresh, version, base));
    console.log(`fixtures: built fixtures/guestbook/${version}/images`);
  }
  mkdirSync(cache, { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Hashes everything that the images depend on: the code that builds them, and the pinned programs inside. */
function recipeDigest(): string {
  const hash = createHash('sha256').update(ingredients);
  const folder = join(import.meta.dirname, 'images');
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}
