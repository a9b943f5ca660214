import { sizeWords } from '../../../formats/size-words.ts';
import type { SupportBundleRequest } from './request.ts';
import type { BundleWriter } from './writer.ts';

/** Adds what tells a reader of a bundle what is in it, and what is not, as the last of its files. */
export async function addReadme(request: SupportBundleRequest, bundle: BundleWriter): Promise<void> {
  const { files, lacks } = bundle;
  const made = new Date(request.time).toISOString();
  await bundle.value('index.json', { solpack: request.version, made, files, missing: lacks });
  const lines = [
    '# Support bundle of solpack',
    '',
    `Made at ${made} by solpack ${request.version}. Secrets are blanked: \`***\` stands in their place.`,
    '',
    '## What is in it',
    '',
    ...files.map(({ path, size }) => `- \`${path}\` (${sizeWords(size)})`),
    '',
    '## What could not be read',
    '',
    ...(lacks.length === 0 ? ['Nothing.'] : lacks.map(({ what, reason }) => `- ${what}: ${reason}`)),
  ];
  await bundle.text('README.md', lines.map((line) => `${line}\n`).join(''));
}
