import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { argumentsOf, root, words } from './home.ts';
import { ruler } from './package/notices.ts';

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
/** Where the licences are of all that is in the encoders; they accompany each package of solpack. */
const licensesPath = join(root, 'scripts/encoders/THIRD-PARTY.txt');

try {
  for (const one of encoders) make(one);
  checkOrWrite(licensesPath, licenses());
} catch (error) {
  console.error(`encoders: ${words(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the licences of Go and of the modules that the encoders are built from. */
function licenses(): string {
  const [{ go }] = encoders;
  const env = { ...process.env, GOTOOLCHAIN: `go${go}`, GOFLAGS: '' };
  const ask = (...args: readonly string[]): string =>
    execFileSync('go', args, { cwd: join(root, 'scripts/encoders'), env, encoding: 'utf8' }).trim();
  const goRoot = ask('env', 'GOROOT');
  const modules = ask('list', '-m', '-f', '{{if not .Main}}{{.Path}} {{.Version}}|{{.Dir}}{{end}}', 'all');
  const sources = [['Go, its library and its runtime', goRoot], ...modules.split('\n').map((line) => line.split('|'))];
  return sources
    .filter(([name]) => name !== '')
    .map(([name, dir]) => `${name}\n\n${readFileSync(join(dir!, 'LICENSE'), 'utf8').trim()}\n`)
    .join(ruler);
}

function checkOrWrite(path: string, text: string): void {
  if (!values.check) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) throw new Error(`${path} is another text in the checkout`);
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
