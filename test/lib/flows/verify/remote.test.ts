import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verify } from '../../../../lib/flows/verify/index.ts';
import { smallSolution } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';
import { asked, server } from '../../kernel/http/misbehaving.ts';

const folder = scratch('verify-remote');

test('an archive that cannot be read to its end is not judged, wherever reading stops', async () => {
  await smallSolution(folder);
  const path = join(folder, 'small.iso');
  await packHere(join(folder, 'solution.toml'), path);
  const bytes = readFileSync(path);
  for (let good = 1; ; good += 1) {
    const { url } = await server((request, response, count) => {
      const { first, last } = asked(request, bytes.length);
      const headers = { 'content-range': `bytes ${first}-${last}/${bytes.length}`, etag: '"one"' };
      if (count > good) response.writeHead(412).end();
      else response.writeHead(206, headers).end(bytes.subarray(first, last + 1));
    });
    const result = await verify({ archive: { url }, trust: undefined }, testFlow()).catch((error: unknown) => error);
    if (!(result instanceof Error)) {
      expect(result).toMatchObject({ ok: true, findings: [] });
      expect(good).toBeGreaterThan(2);
      return;
    }
    expect(result).toMatchObject({ code: 'remote-changed' });
  }
});
