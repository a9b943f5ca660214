import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileOfPackage, pinOf } from '../npm-package.ts';
import { writeDockerArchive, writeLayout, writeOciArchive } from './archives.ts';
import { type Base, type Blob, blob, buildImage, type Recipe } from './image.ts';
import { type Member, tar } from './tar.ts';

/** Versions of the example Solution, each with the date of its images. */
export const versions = { '1.0.0': '2026-01-15T00:00:00Z', '1.1.0': '2026-03-02T00:00:00Z' } as const;

export type Version = keyof typeof versions;

const baseDate = '2026-01-01T00:00:00Z';

/** For each architecture, a static program that serves files over HTTP. */
const servers = { amd64: '@esbuild/linux-x64', arm64: '@esbuild/linux-arm64' } as const;

/** Everything external that the images contain. */
export const ingredients: string = Object.values(servers).map(pinOf).join('\n');

/** Returns the layer that all images share: /bin/server, for each architecture. */
export async function baseLayers(): Promise<Base> {
  const folder = mkdtempSync(join(tmpdir(), 'solpack-base-'));
  const layers = new Map<string, Blob>();
  try {
    for (const [architecture, name] of Object.entries(servers)) {
      const server = readFileSync(await fileOfPackage(name, 'bin/esbuild', folder));
      const members = [{ path: 'bin' }, { path: 'bin/server', bytes: server, mode: 0o755 }];
      layers.set(architecture, blob(tar(members, new Date(baseDate))));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { layers, created: baseDate };
}

/**
 * Writes the images of one version of the example Solution into `folder`: for 1.0.0 an OCI archive (web) and an archive
 * as of `docker save` (operator, one platform), for 1.1.0 one OCI layout with both. The same bytes on any machine.
 */
export function writeImages(folder: string, version: Version, base: Base): void {
  const web = buildImage(recipe('web', version), base);
  const operator = buildImage(recipe('operator', version), base);
  if (version === '1.1.0') {
    writeLayout(folder, [web, operator]);
  } else {
    writeOciArchive(join(folder, 'web.tar'), web);
    writeDockerArchive(join(folder, 'operator.tar'), operator.reference, operator.images[0]!);
  }
}

function recipe(name: 'web' | 'operator', version: Version): Recipe {
  return {
    reference: `registry.example.com/guestbook/${name}:${version}`,
    title: `guestbook-${name}`,
    version,
    created: versions[version],
    port: 8080,
    // Without --watch=forever the server ends when standard input does, which is empty in a Pod.
    entrypoint: ['/bin/server', '--servedir=/www', '--serve=0.0.0.0:8080', '--watch=forever'],
    files: [
      { path: 'etc' },
      { path: 'etc/passwd', bytes: Buffer.from('nonroot:x:65532:65532:nonroot:/:/sbin/nologin\n') },
      { path: 'www' },
      ...(name === 'web' ? site(version) : status(version)),
    ],
  };
}

function site(version: Version): Member[] {
  const style = version === '1.0.0' ? '' : '<link rel="stylesheet" href="style.css">';
  const page = `<!doctype html><html lang="en"><title>Guestbook ${version}</title>${style}<h1>Guestbook ${version}</h1></html>\n`;
  const files: Member[] = [
    { path: 'www/healthz', bytes: Buffer.from('ok\n') },
    { path: 'www/index.html', bytes: Buffer.from(page) },
  ];
  if (style) files.push({ path: 'www/style.css', bytes: Buffer.from('h1 { font-family: sans-serif }\n') });
  return files;
}

function status(version: Version): Member[] {
  return [
    { path: 'www/healthz', bytes: Buffer.from('ok\n') },
    { path: 'www/index.html', bytes: Buffer.from(`guestbook-operator ${version}\n`) },
  ];
}
