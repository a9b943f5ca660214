// The main job on the example Solution: pack, inspect, verify, install, step by step. With --record, as root on Linux, what
// it prints becomes docs/recordings/demo.cast, of which "npm run docs" makes a picture.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { capture, hold, type Place, show } from './demo/cli.ts';
import { chapter, paint, tell } from './demo/page.ts';
import { pullImage } from './demo/pull.ts';
import { fetchFrom } from './demo/run.ts';
import { argumentsOf, cache, root, words } from './home.ts';
import { record } from './recording/record.ts';

const out = join(cache, 'demo');
const image = 'guestbook/web:1.1.0';

const here: Place = { folder: out };
const { values } = argumentsOf('demo', { options: { record: { type: 'boolean', default: false } } });
const title = 'solpack packs, signs, inspects, verifies and installs the example Solution';

async function main(): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const version of ['1.0.0', '1.1.0']) {
    cpSync(join(root, 'fixtures/guestbook', version), join(out, version), { recursive: true });
  }
  cpSync(join(root, 'fixtures/guestbook/solutions.yaml'), join(out, 'solutions.yaml'));
  console.log(`The main job, on the example Solution, in ${relative(process.cwd(), out) || '.'}/`);

  chapter('1  A release engineer makes a key, and packs two versions of the Solution into signed archives');
  await show(here, 'solpack keygen -o release');
  await show(here, 'solpack pack 1.0.0 -o guestbook-1.0.0.iso');
  await show(here, 'solpack sign guestbook-1.0.0.iso --private-key release.key');
  await show(here, 'solpack pack 1.1.0 -o guestbook-1.1.0.iso --locked --sign release.key');

  chapter('2  Anybody can look inside');
  await show(here, 'solpack inspect guestbook-1.1.0.iso');

  chapter('3  A security officer checks every byte, and who signed');
  await show(here, 'solpack verify guestbook-1.0.0.iso --key release.pub');
  await show(here, 'solpack verify guestbook-1.1.0.iso --key release.pub');

  chapter('4  An operator installs on a node without network');
  const install = await hold(here, 'solpack install -f solutions.yaml --key release.pub --render rendered --hold');
  try {
    await pulled(install.url);
  } finally {
    await install.stop();
  }

  chapter('What is there now');
  for (const file of readdirSync(join(out, 'rendered/guestbook')).sort()) {
    console.log(`  ${relative(process.cwd(), join(out, 'rendered/guestbook', file))}`);
  }
  const { images, sharedBytes } = JSON.parse(await capture(here, 'solpack inspect guestbook-1.1.0.iso --json'));
  console.log(
    paint(
      'green',
      `\nDone: guestbook 1.1.0 was chosen of two versions; ${images.length} images were served straight from the archive, ` +
        `${Math.round(sharedBytes / 1048576)} MiB of them stored once instead of twice.`,
    ),
  );
}

/** Pulls an image from the embedded registry as a container runtime would, and runs its program. */
async function pulled(registry: string): Promise<void> {
  const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  if (process.platform !== 'linux' || architecture === undefined) {
    console.log(
      `  (the images are for Linux on amd64 and arm64, so none is run on this ${process.platform}-${process.arch})`,
    );
    return;
  }
  const rootfs = join(out, 'rootfs');
  const { digest, bytes, entrypoint } = await pullImage(registry, image, architecture, rootfs);
  tell(`While it serves, pull ${image} for linux/${architecture} from ${registry}, and run it:`);
  console.log(`  pulled ${digest.slice(0, 19)}…, ${(bytes / 1048576).toFixed(1)} MiB`);
  const title = await fetchFrom(rootfs, entrypoint);
  console.log(`  it answers over HTTP: ${title}`);
}

(values.record ? record('demo', title, 'scripts/demo.ts') : main()).catch((error: unknown) => {
  console.error(`the demo stopped: ${words(error)}`);
  process.exitCode = 1;
});
