import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { argumentsOf, root, words } from './home.ts';

// Builds the encoders with which deltas make layers again, as WebAssembly, from Go modules that go.sum pins:
//   node scripts/encoders.ts [--check]
// With --check, it writes nothing, and fails if a module is other than the one that is in the checkout. Needs Go, which
// fetches the releases of Go that are named here.

const { values } = argumentsOf('encoders', { options: { check: { type: 'boolean', default: false } } });

/** Each encoder: the folder of its program below scripts/encoders, and the release of Go that builds it. */
const encoders = [
  { name: 'go1.26-gzip', program: 'gzip', go: '1.26.8' },
  { name: 'klauspost-gzip', program: 'klauspost-gzip', go: '1.26.8' },
  { name: 'klauspost-zstd', program: 'klauspost-zstd', go: '1.26.8' },
  { name: 'go1.27-gzip', program: 'gzip', go: '1.27.1' },
] as const;

const folder = mkdtempSync(join(tmpdir(), 'solpack-encoders-'));
try {
  for (const one of encoders) make(one);
} catch (error) {
  console.error(`encoders: ${words(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

function make({ name, program, go }: (typeof encoders)[number]): void {
  const built = join(folder, `${name}.wasm`);
  execFileSync('go', ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', built, `./${program}`], {
    cwd: join(root, 'scripts/encoders'),
    env: {
      ...process.env,
      GOTOOLCHAIN: `go${go}`,
      GOOS: 'wasip1',
      GOARCH: 'wasm',
      GOFLAGS: '',
      GOWASM: '',
      CGO_ENABLED: '0',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const module = readFileSync(built);
  const path = join(root, 'lib/shared/solutions/deltas/below/encoders', `${name}.json`);
  const digest = `sha256:${createHash('sha256').update(module).digest('hex')}`;
  console.log(`${name} ${digest} ${module.length}`);
  if (values.check) {
    const { zstd } = JSON.parse(readFileSync(path, 'utf8')) as { zstd: string };
    if (!zstdDecompressSync(Buffer.from(zstd, 'base64')).equals(module))
      throw new Error(`${name} is another module in the checkout`);
    return;
  }
  const params = { [constants.ZSTD_c_compressionLevel]: 22, [constants.ZSTD_c_windowLog]: 22 };
  const zstd = zstdCompressSync(module, { params, pledgedSrcSize: module.length } as never).toString('base64');
  writeFileSync(path, `${JSON.stringify({ module: digest, go, zstd })}\n`);
}
