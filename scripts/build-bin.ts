import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembled } from './executable/assemble.ts';
import { contentsOf } from './executable/chunks.ts';
import { executableName, type Platform, platforms } from './executable/platforms.ts';
import { type Runtime, runtimeOf } from './executable/runtime.ts';
import { argumentsOf, cache, executables, replaceFolder, words } from './home.ts';
import { emulation, emulationJudges } from './judges/emulation.ts';
import { provide } from './judges/shell.ts';

// Puts solpack, all packages that it uses and Node.js into one file for each platform:
//   node scripts/build-bin.ts [-o FOLDER] [--platform linux-x64]...
// The same sources give the same bytes, wherever and on whichever of the platforms they are built. Where one cannot be
// made here, the others still are, and this ends with 1.

const { values } = argumentsOf('build:bin', {
  options: {
    output: { type: 'string', short: 'o', default: executables },
    platform: { type: 'string', multiple: true, default: platforms.map(({ name }) => name) },
  },
});

mkdirSync(cache, { recursive: true });
const work = mkdtempSync(join(cache, 'executables-'));
try {
  await build();
} catch (error) {
  console.error(`build:bin: ${words(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function build(): Promise<void> {
  const wanted = values.platform.map(platformOf);
  const native = await runtimeIn(platformOf(`${process.platform}-${process.arch}`));
  const contents = await contentsOf();
  const made: Platform[] = [];
  await replaceFolder(values.output, async (fresh) => {
    for (const platform of wanted) {
      try {
        await provideEmulation(platform);
        const runtime = await runtimeIn(platform);
        const folder = join(work, platform.name);
        const executable = await assembled(contents, runtime, native, emulation(platform), folder);
        writeFileSync(join(fresh, executableName(platform)), executable, { mode: 0o755 });
        made.push(platform);
      } catch (error) {
        console.error(`build:bin: ${platform.name}: ${words(error)}`);
        process.exitCode = 1;
      }
    }
    if (made.length === 0) throw new Error('no executable was made');
  });
  for (const platform of made) console.log(join(values.output, executableName(platform)));
}

function platformOf(name: string): Platform {
  const platform = platforms.find((one) => one.name === name);
  if (platform) return platform;
  throw new Error(
    `there is no ${name}; executables are made on and for ${platforms.map((one) => one.name).join(', ')}`,
  );
}

function runtimeIn(platform: Platform): Promise<Runtime> {
  const folder = join(work, platform.runtime);
  mkdirSync(folder, { recursive: true });
  return runtimeOf(platform, folder);
}

/** Gets what runs the Node.js of a platform on this machine. Without that, nothing could be compiled for it. */
async function provideEmulation(platform: Platform): Promise<void> {
  if (emulation(platform).length === 0) return;
  for (const [name, judge] of Object.entries(emulationJudges)) {
    const state = await provide(judge);
    if (state.startsWith('absent')) throw new Error(`needs ${name}: ${state}`);
  }
}
