import { expect } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { copy } from '../../../../lib/kernel/content/copy.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { openRepository } from '../../../support/open-repository.ts';
import { dockerRegistry, sampleImage } from '../../../support/registry.ts';

const folder = scratch('continue');
const registry = dockerRegistry(folder);

judged('content is read from any byte on, and only that is sent', ['docker-registry'], async () => {
  const { host } = await registry();
  const image = sampleImage('continue');
  const repository = await openRepository({ scheme: 'http', registry: host, repository: 'a/b' });
  await copy([[{ descriptor: image.layer, source: image }]], repository);
  const whole = image.bytesOf(image.layer);
  for (const offset of [0, 1, 4096, whole.length - 1]) {
    const rest = await collect(repository.open(image.layer, { offset }), whole.length - offset);
    expect(Buffer.from(rest).equals(whole.subarray(offset))).toBe(true);
  }
  await repository.close();
});
